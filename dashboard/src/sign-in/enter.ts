// Where a user who is signed in goes on: at the page that the URL names.

/** Set by start.js as well: the next page asks for its data before it knows the session. */
const signedInKey = "starpost-signed-in";

/** Opens the page. The service answers the same URL with the pages of a workspace now. */
export function enter(): void {
  try {
    localStorage.setItem(signedInKey, "yes");
  } catch {
    // Storage is switched off: the next page waits for the session.
  }
  const target = targetOf(window.location);
  if (target === null) window.location.reload();
  else window.location.replace(target);
}

/** The path that the provider leads back to. */
export function returnPath(): string {
  const { pathname, search } = window.location;
  return targetOf(window.location) ?? `${pathname}${search}`;
}

const ownPaths = ["/setup", "/join", "/sign-in-link", "/sign-in-problem", "/reset"];

/** null for the page that is open. */
function targetOf({ pathname, search, origin }: Location): string | null {
  if (ownPaths.includes(pathname)) return "/";
  if (pathname !== "/sign-in") return null;
  // A link of elsewhere must not lead to another host.
  const to = new URLSearchParams(search).get("to") ?? "/";
  const target = URL.canParse(to, origin) ? new URL(to, origin) : null;
  return target?.origin === origin ? target.pathname + target.search : "/";
}
