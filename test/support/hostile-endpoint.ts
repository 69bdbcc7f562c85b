// An endpoint that speaks just enough HTTP to do harm: answers that drip, never end, announce themselves without
// end, or are small and swell to gigabytes.
import { once } from "node:events";
import net from "node:net";
import { gzipSync } from "node:zlib";

export const attacks = {
  /** A byte of the head now and then. */
  "dripping head": (socket) => repeat(socket, 20, () => "H", "HTTP/1.1 200 OK\r\nX-Drip: "),
  /** Headers that never end. */
  "endless headers": (socket) => flood(socket, "X-More: more\r\n", "HTTP/1.1 200 OK\r\n"),
  "one endless header": (socket) => flood(socket, "more ", "HTTP/1.1 200 OK\r\nX-Long: "),
  /** Interim answers, and never the one that they announce. */
  "a flood of 1xx": (socket) => flood(socket, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", ""),
  "a dripping 1xx": (socket) =>
    repeat(socket, 20, () => "HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n"),
  "an endless status line": (socket) => flood(socket, "very ", "HTTP/1.1 200 "),
  /** The status says it all; the body is not waited for. */
  "an endless body": (socket) => flood(socket, `1000\r\n${"x".repeat(4096)}\r\n`, chunked("500")),
  "a dripping body": (socket) => repeat(socket, 20, () => "1\r\nx\r\n", chunked("500")),
  "a bomb": (socket) => {
    socket.end(
      Buffer.concat([
        Buffer.from(
          `HTTP/1.1 500 No\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
        ),
        bomb,
      ]),
    );
  },
  "two lengths": (socket) =>
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"),
  silence: () => {},
} as const satisfies Record<string, (socket: net.Socket) => void>;

export type Attack = keyof typeof attacks;

export const bombMb = 256;
const bomb = gzipSync(Buffer.alloc(bombMb * 1_048_576));

export type HostileEndpoint = {
  /** By the attack that it makes. */
  urlOf(attack: Attack): string;
  close(): Promise<void>;
};

/** The path of a request names the attack. */
export async function openHostileEndpoint(): Promise<HostileEndpoint> {
  const names = Object.keys(attacks) as Attack[];
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    socket.once("data", (head: Buffer) => {
      // The rest of the request is of no interest, and must not stop the answer.
      socket.resume();
      const index = Number(/^[A-Z]+ \/(\d+)/.exec(head.toString("latin1"))?.[1]);
      const name = names[index];
      if (name) attacks[name](socket);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    urlOf: (attack) => `http://127.0.0.1:${address.port}/${names.indexOf(attack)}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function chunked(status: string): string {
  return `HTTP/1.1 ${status} No\r\nTransfer-Encoding: chunked\r\n\r\n`;
}

function repeat(socket: net.Socket, everyMs: number, next: () => string, first: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(next()), everyMs);
  socket.on("close", () => clearInterval(timer));
}

/** Without end, and slowly enough that this process can do something else as well. */
function flood(socket: net.Socket, piece: string, first: string): void {
  const block = piece.repeat(Math.ceil(16_384 / piece.length));
  repeat(socket, 10, () => block, first + block);
}
