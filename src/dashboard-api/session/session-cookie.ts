// The session's cookie: out of the reach of scripts, for this host alone, and over TLS only where the
// service is reached over TLS.
import type { Context } from "hono";

const name = "starpost";

export type SessionCookie = {
  read(context: Context): string | null;
  /** A Set-Cookie header; null takes the cookie away. */
  write(token: string | null, maxAgeMs: number): string;
};

export function createSessionCookie(publicUrl: string | null): SessionCookie {
  const isSecure = publicUrl?.startsWith("https:") === true;
  // Browsers take a `__Host-` cookie only with Secure, for one host and all of its paths.
  const fullName = isSecure ? `__Host-${name}` : name;
  return {
    read(context) {
      const parts = (context.req.header("cookie") ?? "").split(";").map((part) => part.trim());
      const own = parts.find((part) => part.startsWith(`${fullName}=`));
      const token = own?.slice(fullName.length + 1) ?? "";
      return /^[\w-]{20,100}$/.test(token) ? token : null;
    },
    write(token, maxAgeMs) {
      const age = token === null ? 0 : Math.floor(maxAgeMs / 1_000);
      const secure = isSecure ? "; Secure" : "";
      return `${fullName}=${token ?? ""}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
    },
  };
}
