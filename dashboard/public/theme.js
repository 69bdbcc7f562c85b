// Sets the chosen theme before the first paint, so that a page never flashes in the other one. A file of
// its own, because the pages allow no inline script.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("starpost-theme");
  } catch {
    // Storage may be switched off: the system's theme is right then.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
