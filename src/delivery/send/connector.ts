// Opens the sockets of deliveries, and only to addresses that may be reached: literal addresses are
// judged here, names where they are looked up, so that what was judged is what is connected to.
import { isIP, type LookupFunction } from "node:net";
import { buildConnector, errors } from "undici";
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
    if (reason !== null) return callback(new RefusedError(reason), null);
    connect(options, (...opened) => {
      const [, socket] = opened;
      // Before undici's own listener, which passes the error on.
      socket?.once("error", (error) => {
        if (socket.bytesRead > 0) ended.add(error);
      });
      callback(...opened);
    });
  };
}

/** Errors of connections that had been answered over before. */
const ended = new WeakSet<Error>();

/** Whether a connection ended that had been answered over before. */
export function isEndOfUsed(error: Error): boolean {
  if (error instanceof errors.SocketError) return (error.socket?.bytesRead ?? 0) > 0;
  return ended.has(error);
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
