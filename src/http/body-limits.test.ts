// Bodies that arrive slowly: ended after a period, unless a route allows long ones and they go on arriving.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { allowLongBody } from "./body-limits.ts";
import { createLimitedServer, serverLimits } from "./limited-server.ts";

const requestTimeoutMs = 300;
const longBodyBytesMin = 10_000;

let close = (): void => {};
afterEach(() => close());

/** The status and what the server received, of a body that sends a part in every third of a period. */
async function send({ parts, isLong }: { parts: readonly number[]; isLong: boolean }) {
  let receivedCount = 0;
  const server = createLimitedServer(
    (request, response) => {
      if (isLong) allowLongBody(request);
      request.on("data", (chunk: Buffer) => {
        receivedCount += chunk.byteLength;
      });
      request.on("end", () => response.end("done"));
    },
    { isProxy: () => true, onRefused: () => {} },
    { ...serverLimits, requestTimeoutMs, longBodyBytesMin },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  const status = await new Promise<number>((resolve, reject) => {
    const options = { port, method: "POST", host: "127.0.0.1" };
    const request = http.request(options, (response) => {
      clearInterval(timer);
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
    const waiting = [...parts];
    const timer = setInterval(() => {
      const size = waiting.shift();
      if (size !== undefined) return void request.write(Buffer.alloc(size));
      clearInterval(timer);
      request.end();
    }, requestTimeoutMs / 3);
  });
  return { status, receivedCount };
}

const fast = Array.from({ length: 12 }, () => 10_000);
const slow = Array.from({ length: 60 }, () => 1);

test("a body that takes longer than a request may is ended, however fast it arrives", async () => {
  expect(await send({ parts: fast, isLong: false })).toMatchObject({ status: 408 });
});

test("a route allows a long body, as long as it goes on arriving", async () => {
  expect(await send({ parts: fast, isLong: true })).toEqual({
    status: 200,
    receivedCount: 120_000,
  });
  expect(await send({ parts: slow, isLong: true })).toMatchObject({ status: 408 });
});
