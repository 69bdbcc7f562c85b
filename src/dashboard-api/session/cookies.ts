// The cookies of the dashboard: out of reach of scripts, for this host alone, and over TLS only where the service is
// reached over TLS.
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import { AppError } from "../../domain/error.ts";
import { dayMs, minuteMs, secondMs } from "../../lib/timestamp.ts";
import { sessionMs } from "./sessions.ts";

export const attemptMs = 10 * minuteMs;

const kinds = {
  /** The token of a session. */
  session: { name: "starpost", pattern: /^[\w-]{20,100}$/, lastsMs: sessionMs },
  /** That the browser has signed in, see `browser-token.ts`; it stays when the session ends. */
  browser: {
    name: "starpost-browser",
    pattern: /^[\w-]{10,100}\.[\w-]{10,100}$/,
    lastsMs: 365 * dayMs,
  },
  /** A sign-in that was begun at a provider. */
  attempt: { name: "starpost-attempt", pattern: /^[\w-]{20,4000}$/, lastsMs: attemptMs },
};
type CookieKind = keyof typeof kinds;

/** The cookies of one request and its response. */
export type Cookies = {
  /** null without the cookie, and for a value that the service can't have set. */
  read(kind: CookieKind): string | null;
  /** @throws AppError `conflict` where the browser would drop what is written: it takes Secure cookies over TLS alone */
  assertKept(): void;
  /** null removes the cookie. */
  write(kind: CookieKind, value: string | null): void;
};

export function createCookies(publicUrl: string | null): (context: Context) => Cookies {
  // Browsers accept a `__Host-` cookie only with Secure, for one host and all of its paths.
  const options: CookieOptions = publicUrl?.startsWith("https:")
    ? { httpOnly: true, sameSite: "Lax", secure: true, prefix: "host" }
    : { httpOnly: true, sameSite: "Lax" };
  return (context) => ({
    assertKept() {
      const origin = context.req.header("origin") ?? "";
      if (options.secure && /^http:\/\/(?!localhost(:|$)|127\.|\[::1\])/.test(origin)) {
        const message = `open ${publicUrl}: your browser keeps no sign-in at ${origin}, which has no TLS`;
        throw new AppError("conflict", message);
      }
    },
    read(kind) {
      const value = getCookie(context, kinds[kind].name, options.prefix) ?? "";
      return kinds[kind].pattern.test(value) ? value : null;
    },
    write(kind, value) {
      const { name, lastsMs } = kinds[kind];
      if (value === null) deleteCookie(context, name, options);
      else setCookie(context, name, value, { ...options, maxAge: lastsMs / secondMs });
    },
  });
}
