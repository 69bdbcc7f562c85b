// Connections that would use up a server: unread answers, pipelined requests, many sockets of one client.
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { afterEach, expect, test } from "vitest";
import { patience } from "../../test/support/patience.ts";
import { createLimitedServer, type serverLimits } from "./limited-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Opened = {
  port: number;
  served: string[];
  refused: string[];
  connectionCount(): Promise<number>;
};

async function openServer(
  limits: Partial<typeof serverLimits>,
  { isProxy = false, body = "ok" }: { isProxy?: boolean; body?: string | Buffer } = {},
): Promise<Opened> {
  const served: string[] = [];
  const refused: string[] = [];
  const policy = {
    isProxy: () => isProxy,
    onRefused: (address: string) => void refused.push(address),
  };
  const server = createLimitedServer(
    (request, response) => {
      served.push(request.url ?? "");
      // Only "/slow" waits, so that requests behind it are pipelined.
      if (request.url !== "/slow") response.end(body);
      else setImmediate(() => setImmediate(() => response.end(body)));
    },
    policy,
    limits,
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(
    () => new Promise((resolve) => server.close(resolve)),
    async () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  const connectionCount = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { port, served, refused, connectionCount };
}

async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1");
  // A refused connection may be reset before the client closes it.
  socket.on("error", () => {});
  closers.push(async () => socket.destroy());
  await once(socket, "connect");
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test("a client that never reads its answer loses the connection, and with it the memory", async () => {
  const large = Buffer.alloc(30_000_000, "x");
  const { port, connectionCount } = await openServer({ stalledWriteMs: 300 }, { body: large });
  const socket = await connect(port);
  socket.pause();
  socket.write(get("/"));
  await expect.poll(connectionCount, { timeout: patience(5_000) }).toBe(0);
});

test("a client that reads slowly keeps its connection as long as it makes progress", async () => {
  const large = Buffer.alloc(3_000_000, "x");
  const { port } = await openServer({ stalledWriteMs: 400 }, { body: large });
  const socket = await connect(port);
  socket.write(get("/"));
  let received = 0;
  let pauses = 0;
  const done = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > large.length) return resolve();
      if (pauses++ > 8) return;
      socket.pause();
      setTimeout(() => socket.resume(), 100);
    });
  });
  await done;
  expect(received).toBeGreaterThan(large.length);
});

test("two requests may be pipelined; a third closes the connection once the two are answered", async () => {
  const { port, served } = await openServer({});
  const fine = await connect(port);
  const received: string[] = [];
  fine.on("data", (chunk) => received.push(chunk.toString()));
  fine.write(get("/slow") + get("/second"));
  await expect.poll(() => received.join("").split("HTTP/1.1 200").length - 1).toBe(2);
  expect(fine.closed).toBe(false);

  const greedy = await connect(port);
  const answers: string[] = [];
  greedy.on("data", (chunk) => answers.push(chunk.toString()));
  const closed = once(greedy, "close");
  greedy.write(get("/slow") + get("/slow") + get("/third").repeat(58));
  await closed;
  expect(answers.join("").split("HTTP/1.1 200").length - 1).toBe(2);
  expect(served.filter((path) => path === "/third")).toEqual([]);
});

test("one address has a number of connections, and others are served meanwhile", async () => {
  const { port, refused, connectionCount } = await openServer({
    ...{ perClientMax: 5, refusedPerClientMax: 0 },
  });
  const sockets = await Promise.all(Array.from({ length: 8 }, () => connect(port)));
  await expect.poll(() => refused.length).toBe(3);
  expect(await connectionCount()).toBe(5);
  const elsewhere = net.connect({ port, host: "127.0.0.1", localAddress: "127.0.0.9" });
  closers.push(async () => elsewhere.destroy());
  elsewhere.write(get("/"));
  expect(String((await once(elsewhere, "data"))[0])).toContain("200 OK");
  for (const socket of sockets) socket.destroy();
  await expect.poll(connectionCount).toBe(1);
  const again = await connect(port);
  again.write(get("/"));
  expect(String((await once(again, "data"))[0])).toContain("200 OK");
});

test("where all connections are taken, a new one takes the place of one that waits for a request", async () => {
  const { port, connectionCount } = await openServer({ connectionCountMax: 4 });
  const halves = await Promise.all(Array.from({ length: 4 }, () => connect(port)));
  for (const socket of halves) socket.write("GET / HTTP/1.1\r\n");
  const closed = once(halves[0] ?? net.connect(port), "close");
  const newcomer = await connect(port);
  newcomer.write(get("/"));
  expect(String((await once(newcomer, "data"))[0])).toContain("200 OK");
  await closed;
  await expect.poll(connectionCount).toBe(4);
});

test("a trusted proxy may have as many as the server", async () => {
  const { port, refused, connectionCount } = await openServer(
    { perClientMax: 2 },
    { isProxy: true },
  );
  await Promise.all(Array.from({ length: 6 }, () => connect(port)));
  await expect.poll(connectionCount).toBe(6);
  expect(refused).toEqual([]);
});

test("blank lines that a client sends are not progress of the answer that it doesn't read", async () => {
  const large = Buffer.alloc(30_000_000, "x");
  const { port, connectionCount } = await openServer({ stalledWriteMs: 1_000 }, { body: large });
  const socket = await connect(port);
  socket.pause();
  socket.write(get("/"));
  const timer = setInterval(() => socket.write("\r\n"), 200);
  closers.push(async () => clearInterval(timer));
  await expect.poll(connectionCount, { timeout: patience(8_000) }).toBe(0);
});
