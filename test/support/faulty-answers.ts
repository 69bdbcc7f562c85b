// Everything by which an answer can break, be too large or be wrong, and an endpoint that answers like that and counts the
// requests that reach it, whole or not.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import net from "node:net";

type Answer = (socket: net.Socket) => void;

/** With an id, as services answer that create something. */
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n{"id":7}';
const write =
  (text: string): Answer =>
  (socket) =>
    socket.write(text);
const end =
  (text: string): Answer =>
  (socket) =>
    socket.end(text);

/** `isRead`: the answer is a 2xx that a client has to read. */
export const faultyAnswers: Readonly<Record<string, { answer: Answer; isRead?: true }>> = {
  "the connection is closed": { answer: end("") },
  "the connection is reset": { answer: (socket) => socket.resetAndDestroy() },
  "closed within the status line": { answer: end("HTTP/1.1 2") },
  "closed within the headers": { answer: end("HTTP/1.1 200 OK\r\nContent-Le") },
  "reset within the headers": {
    answer: (socket) => socket.write("HTTP/1.1 200 OK\r\nX", () => socket.resetAndDestroy()),
  },
  "line ends without CR": { answer: write("HTTP/1.1 200 OK\nContent-Length: 2\n\nok") },
  "a space in a header's name": {
    answer: write("HTTP/1.1 200 OK\r\nBad Header: x\r\nContent-Length: 0\r\n\r\n"),
  },
  "20 kB of headers": {
    answer: write(
      `HTTP/1.1 200 OK\r\nSet-Cookie: ${"x".repeat(20_000)}\r\nContent-Length: 0\r\n\r\n`,
    ),
  },
  "not HTTP": { answer: end("* OK IMAP4rev1 ready\r\n") },
  "HTTP/2 without being asked": { answer: end("\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80\0\x04") },
  "two lengths": {
    answer: end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok"),
  },
  "a status of four digits": { answer: end("HTTP/1.1 2000 OK\r\n\r\n") },
  "100, then closed": { answer: end("HTTP/1.1 100 Continue\r\n\r\n") },
  "100, then 200": { answer: write(`HTTP/1.1 100 Continue\r\n\r\n${ok}`), isRead: true },
  "100 in parts, then 200": {
    answer: (socket) => sendInParts(socket, `HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n${ok}`),
    isRead: true,
  },
  "103, 100, 102, 100, then 200": {
    answer: write(
      `${[103, 100, 102, 100].map((status) => `HTTP/1.1 ${status} Wait\r\n\r\n`).join("")}${ok}`,
    ),
    isRead: true,
  },
  "101 without being asked": {
    answer: write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
  },
  "a body that is cut off": {
    answer: end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok"),
    isRead: true,
  },
  "a body that is reset": {
    answer: (socket) =>
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok", () =>
        socket.resetAndDestroy(),
      ),
    isRead: true,
  },
  "a body that is too large": {
    answer: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n");
      socket.write("x".repeat(200_000));
    },
    isRead: true,
  },
  "chunks that are wrong": {
    answer: write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
    isRead: true,
  },
  "a second answer": { answer: write(ok + ok), isRead: true },
  "204, then closed": { answer: end("HTTP/1.1 204 No Content\r\n\r\n"), isRead: true },
  "304": { answer: write("HTTP/1.1 304 Not Modified\r\n\r\n") },
  "400 at once, then closed": { answer: end("HTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n") },
  "500": { answer: write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n") },
  "503 that asks for an hour": {
    answer: write("HTTP/1.1 503 No\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n"),
  },
  nothing: { answer: () => {} },
};

function sendInParts(socket: net.Socket, text: string): void {
  socket.setNoDelay(true);
  const [next = "", rest] = [text.slice(0, 5), text.slice(5)];
  if (next !== "") socket.write(next, () => setImmediate(sendInParts, socket, rest));
}

export type FaultyEndpoint = Awaited<ReturnType<typeof openFaultyEndpoint>>;

/**
 * @param options.goodCount how many requests of each connection are answered well before, so that the fault is one of a
 *   connection in use
 */
export async function openFaultyEndpoint(options: {
  answer: (socket: net.Socket) => void;
  delayMs: number;
  goodCount: number;
}) {
  const sockets = new Set<net.Socket>();
  let requestCount = 0;
  const path = `/${randomUUID()}`;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    let received = Buffer.alloc(0);
    let count = 0;
    let isCounted = false;
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      // Programs of other tests look for a service that had this port before.
      if (!received.subarray(0, 200).includes(path)) return;
      if (!isCounted) requestCount += 1;
      isCounted = true;
      const bodyAt = received.indexOf("\r\n\r\n") + 4;
      const length = Number(/content-length: (\d+)/i.exec(received.toString("latin1"))?.[1] ?? 0);
      if (bodyAt < 4 || received.length < bodyAt + length) return;
      received = Buffer.alloc(0);
      isCounted = false;
      count += 1;
      if (count <= options.goodCount) socket.write(ok);
      else if (options.delayMs === 0) options.answer(socket);
      else setTimeout(() => options.answer(socket), options.delayMs);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    requestCount: () => requestCount,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
