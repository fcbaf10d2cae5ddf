// Run in every page before its own scripts: chance is fixed, and what changes late is noticed.
(() => {
  let state = 20250101;
  Math.random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  window.__autopilotChanged = performance.now();
  new MutationObserver(() => { window.__autopilotChanged = performance.now(); })
    .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
})();
