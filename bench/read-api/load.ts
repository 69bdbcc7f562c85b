// Sends requests over keep-alive connections as fast as a server responds, in a process of its own. It reads
// only the status and the length of a response, so that it costs less than what it measures.
import net from "node:net";

export type LoadJob = {
  port: number;
  connectionCount: number;
  /** Requested in turn, again from the start; with `once` each only once. */
  paths: string[];
  /** The tag of what the client has: all responses are 304 then. */
  etag?: string;
  /** Each connection sends up to 60 requests with one key, then takes the next. */
  keys: string[];
  durationMs: number;
  once: boolean;
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
  const sendRequests = async (): Promise<void> => {
    const connection = await connect(job.port, job.etag === undefined ? 200 : 304);
    const condition = job.etag === undefined ? "" : `If-None-Match: ${job.etag}\r\n`;
    let key = "";
    for (let used = requestsPerKey; !isOver(); used += 1) {
      if (used >= requestsPerKey) {
        key = job.keys[nextKey % job.keys.length] ?? "";
        nextKey += 1;
        used = 0;
      }
      const path = job.paths[next % job.paths.length] ?? "";
      next += 1;
      const sentAt = performance.now();
      await connection.request(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n${condition}\r\n`,
      );
      if (latenciesMs.length < latencyCountMax) latenciesMs.push(performance.now() - sentAt);
      count += 1;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: job.connectionCount }, sendRequests));
  return { count, seconds: (performance.now() - startedAt) / 1_000, latenciesMs };
}

type Connection = { request(request: string): Promise<void>; close(): void };

// More than any head here; the body is not converted to text.
const headBytesMax = 2_048;

async function connect(port: number, status: number): Promise<Connection> {
  let resolveResponse = (): void => {};
  let rejectResponse = (_error: Error): void => {};
  let head = "";
  let readBytes = 0;
  /** The bytes of head and body; 0 until the head has arrived. */
  let responseBytes = 0;
  const read = (byteCount: number, buffer: Uint8Array): boolean => {
    readBytes += byteCount;
    if (responseBytes === 0) {
      head += Buffer.from(buffer.buffer, 0, Math.min(byteCount, headBytesMax)).toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return true;
      if (!head.startsWith(`HTTP/1.1 ${status}`)) rejectResponse(new Error(head));
      const length = status === 304 ? 0 : /content-length: *(\d+)/i.exec(head.slice(0, end))?.[1];
      responseBytes = end + 4 + Number(length);
    }
    if (readBytes === responseBytes) {
      readBytes = responseBytes = 0;
      head = "";
      resolveResponse();
    }
    return true;
  };
  // One buffer for all: a new one for each response would cost more than everything else here.
  const onread = { buffer: new Uint8Array(65_536), callback: read };
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true, onread });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  socket.on("error", (error) => rejectResponse(error));
  socket.on("close", () => rejectResponse(new Error("the server closed the connection")));
  return {
    request: (request) =>
      new Promise((resolve, reject) => {
        resolveResponse = resolve;
        rejectResponse = reject;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

process.on("message", async (job: LoadJob) => {
  const result = await runLoad(job);
  process.send?.(result);
});
