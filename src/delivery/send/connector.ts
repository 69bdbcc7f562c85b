// Opens the sockets of deliveries, and only to addresses that may be reached: literal addresses are
// judged here, names where they are looked up, so that what was judged is what is connected to.
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import type { HostNames } from "./host-names.ts";
import type { UrlPolicy } from "./url-check.ts";

/** A connection that was not even tried. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** A name without addresses. */
export class UnresolvedError extends Error {
  override readonly name = "UnresolvedError";
}

export function openConnector(open: {
  policy: UrlPolicy;
  names: HostNames;
  timeoutMs: number;
}): buildConnector.connector {
  const connect = buildConnector({ timeout: open.timeoutMs, lookup: openLookup(open.names) });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    // The socket looks names up, but never literal addresses.
    const reason = isIP(host) === 0 ? null : open.policy.addresses.refuse(host);
    if (reason === null) connect(options, callback);
    else callback(new RefusedError(reason), null);
  };
}

function openLookup(names: HostNames): LookupFunction {
  return (name, options, callback) => {
    names.resolve(name).then(
      (found) => {
        if (found.kind === "refused") return callback(new RefusedError(found.reason), "");
        if (found.kind === "failed") return callback(new UnresolvedError(found.reason), "");
        const addresses = found.addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = addresses;
        if (options.all || !first) return callback(null, addresses);
        return callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}
