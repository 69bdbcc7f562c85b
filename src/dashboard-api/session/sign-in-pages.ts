// Which paths are pages before the sign-in: sign-in.html, which loads without the application, answers them.

/** For links, and for users who cannot sign in: with or without a session. */
const paths = new Set([
  "/sign-in",
  "/setup",
  "/join",
  "/sign-in-link",
  "/sign-in-problem",
  "/forgotten-password",
  "/reset",
]);

/** @param hasSession whether the request has the cookie of a session: whether that has ended, the page finds out itself */
export function isBeforeSignIn(path: string, hasSession: boolean): boolean {
  return paths.has(path) || (!hasSession && path !== "/shared");
}
