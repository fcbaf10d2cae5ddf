// Until fonts and images are there and nothing has changed for a tenth of a second; at most two seconds.
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
}
