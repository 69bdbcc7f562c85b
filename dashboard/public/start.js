// Before anything else: sets the user's theme, so that the page does not flash in the other one, and begins to load what
// the page waits for. It is a file of its own, because the pages allow no inline scripts.
(() => {
  const signedInKey = "starpost-signed-in";
  const { chunks = "{}", page: ownPage } = document.currentScript.dataset;
  const isSignIn = ownPage === "sign-in";
  let theme = null;
  let wasSignedIn = false;
  try {
    theme = localStorage.getItem("starpost-theme");
    wasSignedIn = localStorage.getItem(signedInKey) !== null;
  } catch {
    // Storage is switched off: the system's theme is used.
  }
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  if (wasSignedIn && !isSignIn && /^\/w\//.test(location.pathname)) {
    document.documentElement.dataset.frame = "workspace";
  }

  // Without its scripts the page would stay an empty frame.
  addEventListener(
    "error",
    ({ target }) => {
      const root = document.getElementById("root");
      if (!(target instanceof HTMLScriptElement) || !root?.querySelector(".frame")) return;
      const link = document.createElement("a");
      link.href = location.href;
      link.textContent = "Try again";
      // A link to the same address with a fragment, as invitations have one, would load nothing.
      link.addEventListener("click", (event) => {
        event.preventDefault();
        location.reload();
      });
      root.replaceChildren("Starpost couldn't be loaded. Check your connection. ", link);
    },
    true,
  );

  const chunkOf = JSON.parse(chunks);
  const [, workspace, page] = (!isSignIn && /^\/w\/([^/]+)\/(\w+)/.exec(location.pathname)) || [];
  if (chunkOf[page]) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = chunkOf[page];
    document.head.append(link);
  }

  // The first request of the same URL takes the answer, also a refusal. A request that did not arrive is sent again.
  const early = {};
  window.starpostEarly = early;
  const begin = (path) => {
    const headers = { accept: "application/json" };
    const url = `/console/api/${path}`;
    const answer = {};
    early[url] = answer;
    answer.arrival = fetch(url, { credentials: "same-origin", headers })
      .then((response) => {
        if (response.ok) return response.json();
        answer.refusal = { response, at: performance.now() };
        return undefined;
      })
      .catch(() => undefined)
      .then((body) => {
        answer.body = body;
        return body;
      });
    return answer.arrival;
  };
  const beginPage = () => {
    if (!page) return;
    const names = ["alerts", "app-names", "views"];
    // The Overview of the usual days: the service knows which. The reviews without a filter.
    if (page === "overview" && /^(\?app=[\w-]+)?$/.test(location.search)) {
      names.push(`overview${location.search}`);
    }
    if (location.pathname.endsWith("/reviews") && location.search === "") {
      names.push("reviews/summary", "reviews?limit=30");
    }
    const [, app] = /\/releases\/([\w-]+)$/.exec(location.pathname) ?? [];
    if (app) {
      names.push(`apps/${app}/releases`);
      const version = new URLSearchParams(location.search).get("version");
      if (version) {
        names.push(`apps/${app}/verdicts?${new URLSearchParams({ version })}`);
        names.push(`reviews/summary?${new URLSearchParams({ app, version })}`);
      }
    }
    for (const name of names) begin(`workspaces/${workspace}/${name}`);
  };
  // On a slow computer the session's answer waits for the scripts: a browser that was signed in doesn't wait for it.
  if (wasSignedIn) beginPage();
  if (isSignIn) begin("session/ways");
  begin("session")
    .then((session) => {
      const isSignedIn = session?.state === "signed_in";
      if (isSignedIn && !wasSignedIn) beginPage();
      // The sign-in is a page of its own: a session that has ended must not wait for the application.
      if (!isSignIn && session && !isSignedIn && location.pathname !== "/shared") {
        const to = encodeURIComponent(location.pathname + location.search);
        location.replace(`/sign-in?to=${to}`);
      }
      if (isSignedIn) localStorage.setItem(signedInKey, "yes");
      else localStorage.removeItem(signedInKey);
    })
    .catch(() => undefined);
})();
