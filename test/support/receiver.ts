// A customer's endpoint on loopback: keeps the raw bytes and headers of every delivery and answers as
// the test says, also as badly as endpoints do.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { createEventCollector } from "./event-collector.ts";

export type Received = {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
};

export type Reply =
  | { kind: "status"; status: number; headers?: Record<string, string>; body?: string }
  /** Never answers. */
  | { kind: "hang" }
  /** A status line at once, and a body that never ends. */
  | { kind: "drip"; status: number }
  /** Cuts the connection; `afterStatus` sends a status line and half a body first. */
  | { kind: "reset"; afterStatus?: number }
  /** Bytes that are not HTTP. */
  | { kind: "garbage" };

export type Decide = (request: Received) => Reply | Promise<Reply>;

export type Receiver = {
  /** E.g. `http://127.0.0.1:5123/hook`. */
  url: string;
  port: number;
  requests: readonly Received[];
  /** TCP connections so far: what a guard must prevent. */
  connectionCount(): number;
  /** Until `count` connections were opened and ended again. */
  waitForEnded(count: number): Promise<unknown>;
  /** How everything from now on is answered. */
  reply(next: Reply | Decide): void;
  /** The first `count` requests, once they are there. */
  waitFor(count: number, limitMs?: number): Promise<Received[]>;
  close(): Promise<void>;
};

export const ok: Reply = { kind: "status", status: 200 };

export async function openReceiver(open: { host?: string; reply?: Reply | Decide } = {}) {
  const host = open.host ?? "127.0.0.1";
  const tally = createEventCollector<Received>("requests");
  let decide = toDecide(open.reply ?? ok);
  let connectionCount = 0;
  const server = http.createServer((request, response) => {
    void receive(request).then(async (received) => {
      tally.add(received);
      answer(response, await decide(received));
    });
  });
  const ended = createEventCollector<true>("ended connections");
  server.on("connection", (socket) => {
    connectionCount += 1;
    socket.on("close", () => ended.add(true));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/hook`,
    port,
    requests: tally.items,
    connectionCount: () => connectionCount,
    waitForEnded: (count) => ended.waitFor(count),
    reply(next) {
      decide = toDecide(next);
    },
    waitFor: (count, limitMs) => tally.waitFor(count, limitMs),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}

function toDecide(reply: Reply | Decide): Decide {
  return typeof reply === "function" ? reply : () => reply;
}

async function receive(request: http.IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
  };
}

function answer(response: http.ServerResponse, reply: Reply): void {
  switch (reply.kind) {
    case "status":
      response.writeHead(reply.status, reply.headers).end(reply.body ?? "");
      return;
    case "hang":
      return;
    case "drip":
      drip(response, reply.status);
      return;
    case "reset":
      if (reply.afterStatus === undefined) response.socket?.resetAndDestroy();
      else cutShort(response, reply.afterStatus);
      return;
    case "garbage":
      response.socket?.end("this is not HTTP\r\n\r\n");
  }
}

function drip(response: http.ServerResponse, status: number): void {
  response.writeHead(status);
  const timer = setInterval(() => response.write("."), 10);
  response.on("close", () => clearInterval(timer));
}

function cutShort(response: http.ServerResponse, status: number): void {
  response.writeHead(status, { "content-length": "100" });
  response.write("half", () => response.socket?.resetAndDestroy());
}
