// The endpoint that the benchmark posts to, in a process of its own: answers 204 at once, hangs on /hang, answers
// /slow/N after N ms, counts, and reports to its parent when each delivery arrived. It listens on several addresses,
// which are several hosts to the sender.
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export type ReceiverReport = {
  count: number;
  /** Delivery ids with the moment their request came, on the machine's monotonic clock. */
  arrivals: [id: string, atMs: number][];
};

/** 127.0.0.1 to 127.0.0.6. */
const hostCount = 6;

let count = 0;
let arrivals: [string, number][] = [];
let isNoting = false;

const first = openServer().listen(0, "127.0.0.1", async () => {
  const { port } = first.address() as AddressInfo;
  for (let host = 2; host <= hostCount; host += 1) {
    await once(openServer().listen(port, `127.0.0.${host}`), "listening");
  }
  process.send?.({ port });
});

function openServer(): http.Server {
  const server = http.createServer((request, response) => {
    if (isNoting) arrivals.push([String(request.headers["x-service-delivery"]), monotonicMs()]);
    request.resume();
    request.once("end", () => {
      count += 1;
      if (request.url === "/hang") return;
      const [, slowMs] = /^\/slow\/(\d+)$/.exec(request.url ?? "") ?? [];
      if (slowMs) setTimeout(() => response.writeHead(204).end(), Number(slowMs));
      else response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  return server;
}

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
