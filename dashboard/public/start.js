// Before anything else: sets the user's theme, so that the page does not flash in the other one, and begins to load what
// the page waits for. It is a file of its own, because the pages allow no inline scripts.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem("starpost-theme");
  } catch {
    // Storage is switched off: the system's theme is used.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

  // Without its scripts the page would stay white.
  addEventListener(
    "error",
    ({ target }) => {
      const root = document.getElementById("root");
      if (!(target instanceof HTMLScriptElement) || !root || root.hasChildNodes()) return;
      const link = document.createElement("a");
      link.href = location.href;
      link.textContent = "Try again";
      root.append("Starpost couldn't be loaded. Check your connection. ", link);
    },
    true,
  );

  const chunks = JSON.parse(document.currentScript.dataset.chunks ?? "{}");
  const [, workspace, page] = /^\/w\/([^/]+)\/(\w+)/.exec(location.pathname) ?? [];
  if (chunks[page]) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = chunks[page];
    document.head.append(link);
  }

  // The first request of the same URL takes the answer. A failure is that request's to report: it is sent again.
  const early = {};
  window.starpostEarly = early;
  const begin = (path) => {
    const headers = { accept: "application/json" };
    const url = `/console/api/${path}`;
    early[url] = fetch(url, { credentials: "same-origin", headers }).catch(() => null);
    return early[url];
  };
  begin("session")
    .then((response) => response?.clone().json())
    .then((session) => {
      if (session?.state !== "signed_in" || !chunks[page]) return;
      for (const name of ["alerts", "app-names", "views"]) begin(`workspaces/${workspace}/${name}`);
      // The Overview of the usual days: the service knows which.
      if (page === "overview" && /^(\?app=[\w-]+)?$/.test(location.search)) {
        begin(`workspaces/${workspace}/overview${location.search}`);
      }
    })
    .catch(() => undefined);
})();
