// Sets the user's theme before the first paint, so that the page does not flash in the other one. It is a
// file of its own, because the pages allow no inline scripts.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("starpost-theme");
  } catch {
    // Storage is switched off: the system's theme is used.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
