// The endpoint that the benchmark posts to, in a process of its own: answers 204 at once, hangs on
// /hang, counts, and tells its parent when each delivery arrived.
import http from "node:http";
import type { AddressInfo } from "node:net";

export type ReceiverReport = {
  count: number;
  /** Delivery ids with the moment their request came, on the machine's monotonic clock. */
  arrivals: [id: string, atMs: number][];
};

let count = 0;
let arrivals: [string, number][] = [];
let isNoting = false;

const server = http.createServer((request, response) => {
  if (isNoting) arrivals.push([String(request.headers["x-service-delivery"]), monotonicMs()]);
  request.resume();
  request.once("end", () => {
    count += 1;
    if (request.url !== "/hang") response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on("message", (wish: { note?: boolean }) => {
  if (wish.note !== undefined) isNoting = wish.note;
  process.send?.({ count, arrivals } satisfies ReceiverReport);
  count = 0;
  arrivals = [];
});
process.on("disconnect", () => process.exit(0));

// The same for every process of the machine, unlike what performance.now() starts from.
function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
