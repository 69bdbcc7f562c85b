// Refuses requests under a host name that is not ours. A page elsewhere can let its own name point to our
// address (DNS rebinding), and the browser then takes our answers for that page's own: the name gives it away.
import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { AppError } from "../domain/error.ts";
import { canParseUrl, isAmongHosts, plainHost } from "../lib/urls.ts";

/**
 * @param names.publicUrl where people reach the service; null when not set
 * @param names.publicNames further names; one that begins with a dot matches all below it
 * @param names.host what the service listens on, an address or a name
 * @throws AppError `forbidden`
 */
export function requireKnownHost(names: {
  publicUrl: string | null;
  publicNames: readonly string[];
  host: string;
}): MiddlewareHandler {
  const ownNames = [names.host.toLowerCase(), ...names.publicNames];
  if (names.publicUrl !== null) ownNames.push(new URL(names.publicUrl).hostname);
  return async (context, next) => {
    const host = context.req.header("host");
    // Browsers always name the host; other clients can't be fooled by a name.
    if (host !== undefined && !isKnown(hostNameOf(host), ownNames)) {
      const message =
        "this service is not known by that host name: PUBLIC_URL or PUBLIC_NAMES can name it";
      throw new AppError("forbidden", message);
    }
    await next();
  };
}

// Nobody can point an address or localhost elsewhere.
function isKnown(name: string, ownNames: readonly string[]): boolean {
  return isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name) || isAmongHosts(name, ownNames);
}

/** In lower case, without the port, brackets and the final dot; "" for an invalid host. */
function hostNameOf(host: string): string {
  const url = `http://${host}`;
  return canParseUrl(url) ? plainHost(new URL(url).hostname) : "";
}
