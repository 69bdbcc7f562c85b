// Asks a server over keep-alive connections as fast as it answers, in a process of its own. It reads no
// more of an answer than its status and its length, so that it costs less than what it measures.
import net from "node:net";

export type LoadJob = {
  port: number;
  connectionCount: number;
  /** Asked in turn, again from the start; with `once` each only once. */
  paths: string[];
  /** Each connection sends up to 60 requests with one key, then takes the next. */
  keys: string[];
  durationMs: number;
  once: boolean;
  /** Keeps a core busy even while it waits: for servers that need no other process. */
  isAwake: boolean;
};

export type LoadResult = { count: number; seconds: number; latenciesMs: number[] };

const requestsPerKey = 60;
// Enough for any percentile, and bounded.
const latencyCountMax = 200_000;

export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  let count = 0;
  let next = 0;
  let nextKey = 0;
  const startedAt = performance.now();
  const isOver = (): boolean =>
    job.once ? next >= job.paths.length : performance.now() - startedAt >= job.durationMs;
  const ask = async (): Promise<void> => {
    const connection = await connect(job.port);
    let key = "";
    for (let used = requestsPerKey; !isOver(); used += 1) {
      if (used >= requestsPerKey) {
        key = job.keys[nextKey % job.keys.length] ?? "";
        nextKey += 1;
        used = 0;
      }
      const path = job.paths[next % job.paths.length] ?? "";
      next += 1;
      const askedAt = performance.now();
      await connection.ask(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`,
      );
      if (latenciesMs.length < latencyCountMax) latenciesMs.push(performance.now() - askedAt);
      count += 1;
    }
    connection.close();
  };
  // Waking a sleeping reader is dear, and would be charged to who answers it.
  let isRunning = true;
  const stayAwake = (): void => void (isRunning && setImmediate(stayAwake));
  if (job.isAwake) stayAwake();
  try {
    await Promise.all(Array.from({ length: job.connectionCount }, ask));
  } finally {
    isRunning = false;
  }
  return { count, seconds: (performance.now() - startedAt) / 1_000, latenciesMs };
}

type Connection = { ask(request: string): Promise<void>; close(): void };

async function connect(port: number): Promise<Connection> {
  const socket = net.connect(port, "127.0.0.1").setNoDelay(true);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let answered = (): void => {};
  let failed = (_error: Error): void => {};
  let missing = 0;
  let head = "";
  socket.on("error", (error) => failed(error));
  socket.on("close", () => failed(new Error("the server closed the connection")));
  socket.on("data", (chunk) => {
    if (missing === 0) {
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      if (!head.startsWith("HTTP/1.1 200")) return failed(new Error(head));
      const length = Number(/content-length: *(\d+)/i.exec(head.slice(0, end))?.[1]);
      missing = length - (head.length - end - 4);
      head = "";
    } else {
      missing -= chunk.length;
    }
    if (missing === 0) answered();
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        answered = resolve;
        failed = reject;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

process.on("message", async (job: LoadJob) => {
  const result = await runLoad(job);
  process.send?.(result);
});
