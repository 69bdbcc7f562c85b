// The cookies of a session, of a browser that has signed in, and of a sign-in at the provider: out of reach of scripts, for
// this host alone, and over TLS only where the service is reached over TLS.
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import { secondMs } from "../../lib/timestamp.ts";
import { attemptMs } from "./provider-attempt.ts";
import { sessionMs } from "./sessions.ts";

const name = "starpost";
const browserName = "starpost-browser";
const attemptName = "starpost-attempt";
const browserSeconds = 365 * 24 * 3_600;

export function createSessionCookie(publicUrl: string | null) {
  // Browsers accept a `__Host-` cookie only with Secure, for one host and all of its paths.
  const options: CookieOptions = publicUrl?.startsWith("https:")
    ? { httpOnly: true, sameSite: "Lax", secure: true, prefix: "host" }
    : { httpOnly: true, sameSite: "Lax" };
  return {
    /** null without a cookie, and for one that can't be a token. */
    read(context: Context): string | null {
      const token = getCookie(context, name, options.prefix) ?? "";
      return /^[\w-]{20,100}$/.test(token) ? token : null;
    },
    /** See `browser-token.ts`; it stays when the session ends. */
    readBrowser(context: Context): string | null {
      const token = getCookie(context, browserName, options.prefix) ?? "";
      return /^[\w-]{10,100}\.[\w-]{10,100}$/.test(token) ? token : null;
    },
    writeBrowser(context: Context, token: string): void {
      setCookie(context, browserName, token, { ...options, maxAge: browserSeconds });
    },
    readAttempt(context: Context): string | null {
      const sealed = getCookie(context, attemptName, options.prefix) ?? "";
      return /^[\w-]{20,4000}$/.test(sealed) ? sealed : null;
    },
    /** See `provider-attempt.ts`; null removes the cookie. */
    writeAttempt(context: Context, sealed: string | null): void {
      if (sealed === null) deleteCookie(context, attemptName, options);
      else setCookie(context, attemptName, sealed, { ...options, maxAge: attemptMs / secondMs });
    },
    /** null removes the cookie. */
    write(context: Context, token: string | null): void {
      if (token === null) deleteCookie(context, name, options);
      else setCookie(context, name, token, { ...options, maxAge: sessionMs / secondMs });
    },
  };
}
