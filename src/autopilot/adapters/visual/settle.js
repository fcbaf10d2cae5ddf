// Until fonts and images are there and nothing has changed for a tenth of a second, at most two seconds; then animations
// are ended where they end, and taken away where they never do, so that what is measured stands still as the picture does.
async () => {
  const deadline = performance.now() + 2000;
  const inTime = (promise) => Promise.race([promise, new Promise((done) => setTimeout(done, 2000))]);
  await inTime(document.fonts.ready);
  // A picture below the fold that is loaded late would be missing in the whole page.
  for (const image of document.images) image.loading = 'eager';
  await inTime(Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
  while (performance.now() < deadline && performance.now() - window.__autopilotChanged < 100) {
    await new Promise((done) => setTimeout(done, 25));
  }
  for (const animation of document.getAnimations()) {
    const timing = animation.effect && animation.effect.getComputedTiming();
    if (timing && Number.isFinite(timing.endTime) && animation.playbackRate > 0) animation.finish();
    else animation.cancel();
  }
}
