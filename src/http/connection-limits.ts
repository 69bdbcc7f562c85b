// Limits of single connections: clients that don't read their answers, that pipeline, or that open many
// connections at once can't exhaust the service for others.
import type { RequestListener, Server } from "node:http";
import type { Socket } from "node:net";
import { secondMs } from "../lib/timestamp.ts";
import { ipPrefix, siteOf } from "./client-ip.ts";
import { unmapIpv4 } from "./request.ts";

export const connectionLimits = {
  /** A connection whose client takes no byte of an answer for this long is closed. */
  stalledWriteMs: 30 * secondMs,
  /** Requests of one connection that may wait for their answers; further ones close it. */
  pipelinedMax: 2,
  /** Connections of one IPv4 address or IPv6 /64 network; a further one takes the place of an idle one. */
  perClientMax: 100,
  /** Connections of one IPv6 /48, which has many such networks. */
  perSiteMax: 400,
  /** Beyond those, requests are refused with an answer; further connections are closed at once. */
  refusedPerClientMax: 100,
  /** All clients together; a further one takes the place of the one that has waited longest for a request. */
  connectionCountMax: 2_000,
};

export type ConnectionPolicy = {
  /** Whether connections of this peer are those of many clients: a trusted proxy. */
  isProxy(address: string): boolean;
  /** Called for each connection that is refused because its client has too many. */
  onRefused(address: string): void;
};

type Limits = typeof connectionLimits;

/** Returns a listener that counts the requests of each connection. */
export function limitPipelining(
  listener: RequestListener,
  { pipelinedMax }: Pick<Limits, "pipelinedMax">,
): RequestListener {
  return (request, response) => {
    const { socket } = request;
    const openCount = openRequests.get(socket) ?? 0;
    if (openCount === pipelinedMax) refusing.add(socket);
    // Never answered: the connection ends with the answers that are due.
    if (refusing.has(socket)) return;
    openRequests.set(socket, openCount + 1);
    response.once("close", () => {
      const left = (openRequests.get(socket) ?? 1) - 1;
      openRequests.set(socket, left);
      if (left === 0 && refusing.has(socket)) socket.destroySoon();
    });
    listener(request, response);
  };
}

const openRequests = new WeakMap<Socket, number>();
const refusing = new WeakSet<Socket>();

/** Answers requests of connections that are too many for their client. */
export function refuseExcess(listener: RequestListener, refuse: RequestListener): RequestListener {
  return (request, response) => (excess.has(request.socket) ? refuse : listener)(request, response);
}

const excess = new WeakSet<Socket>();

/** Closes connections that make no progress, and those of clients that have too many. */
export function limitConnections(server: Server, limits: Limits, policy: ConnectionPolicy): void {
  const { connectionCountMax, refusedPerClientMax, stalledWriteMs } = limits;
  // Oldest first.
  const all = new Set<Socket>();
  const networks = new Map<string, Set<Socket>>();
  server.on("connection", (socket) => {
    // `maxConnections` of the server would refuse the newcomer, whatever the others do.
    if (all.size >= connectionCountMax && !closeFirst(all, isWaiting)) return void socket.destroy();
    addTo(all, socket);
    const address = unmapIpv4(socket.remoteAddress ?? "");
    if (policy.isProxy(address)) return;
    for (const [network, countMax] of networksOf(address, limits)) {
      const open = networks.get(network) ?? new Set();
      if (open.size >= countMax && !closeFirst(open, isAnswered)) {
        policy.onRefused(address);
        if (open.size >= countMax + refusedPerClientMax) return void socket.destroy();
        excess.add(socket);
      }
      networks.set(network, addTo(open, socket));
      socket.once("close", () => {
        if (open.size === 0 && networks.get(network) === open) networks.delete(network);
      });
    }
  });
  closeStalledConnections(server, stalledWriteMs);
}

function networksOf(address: string, { perClientMax, perSiteMax }: Limits): Map<string, number> {
  // Both are the same for IPv4.
  return new Map([
    [siteOf(address), perSiteMax],
    [ipPrefix(address), perClientMax],
  ]);
}

function addTo(open: Set<Socket>, socket: Socket): Set<Socket> {
  socket.once("close", () => open.delete(socket));
  return open.add(socket);
}

const isAnswered = (socket: Socket): boolean => openRequests.get(socket) === 0;
/** Also one that has sent no request, or half of one. */
const isWaiting = (socket: Socket): boolean => !openRequests.get(socket);

/** False when there is none. */
function closeFirst(open: Set<Socket>, mayClose: (socket: Socket) => boolean): boolean {
  for (const socket of open) {
    if (!mayClose(socket)) continue;
    open.delete(socket);
    socket.destroySoon();
    return true;
  }
  return false;
}

function closeStalledConnections(server: Server, stalledWriteMs: number): void {
  const watched = new Map<Socket, { position: string; stalledChecks: number }>();
  server.on("connection", (socket: Socket) => {
    watched.set(socket, { position: "", stalledChecks: 0 });
    socket.once("close", () => watched.delete(socket));
  });
  // Counts checks instead of time: a blocked event loop must not look like a client that doesn't read.
  const timer = setInterval(() => {
    for (const [socket, state] of watched) {
      const position = writePosition(socket);
      const isStalled = socket.writableLength > 0 && position === state.position;
      state.position = position;
      state.stalledChecks = isStalled ? state.stalledChecks + 1 : 0;
      if (state.stalledChecks * secondMs >= stalledWriteMs) socket.destroy();
    }
  }, secondMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}

/**
 * Changes when the kernel takes bytes of an answer. `writableLength` counts whole writes; the handle's queue also
 * shows parts of one. `setTimeout` of a socket looks at both, but takes bytes from the client for progress as well.
 */
function writePosition(socket: Socket): string {
  const handle: unknown = Reflect.get(socket, "_handle");
  const queued: unknown = handle instanceof Object ? Reflect.get(handle, "writeQueueSize") : null;
  return `${socket.bytesWritten - socket.writableLength}:${String(queued)}`;
}
