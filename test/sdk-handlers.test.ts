// The webhook handlers of the client library in the servers that they are made for: each gets the same requests
// over a real socket.
import { createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import Fastify from "fastify";
import { Hono } from "hono";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { createFastifyPlugin } from "../sdk/src/handlers/fastify.ts";
import { createFetchHandler, type HandlerOptions } from "../sdk/src/handlers/fetch.ts";
import { createNodeHandler } from "../sdk/src/handlers/node.ts";
import type { StarpostEvent } from "../sdk/src/index.ts";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const events: StarpostEvent[] = [];
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  events.length = 0;
  for (const close of closers.splice(0)) await close();
});

const onEvent = ({ event }: { event: StarpostEvent }): void => {
  if (event.event === "review.rating_drop") throw new Error("the queue is full");
  events.push(event);
};

const options = { secret, onEvent, onError: () => undefined };

async function listen(listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/hook`;
}

/** The URL of a server whose other routes parse JSON, as most do. */
const servers: Readonly<Record<string, () => Promise<string>>> = {
  "plain Node": () => listen(createNodeHandler(options)),
  "Express, before its parser": () => {
    const app = express();
    app.post("/hook", createNodeHandler(options));
    return listen(app.use(express.json()));
  },
  "Express, behind express.raw": () => {
    const app = express();
    app.post("/hook", express.raw({ type: "*/*" }), createNodeHandler(options));
    return listen(app);
  },
  async Fastify() {
    const app = Fastify();
    app.register(createFastifyPlugin({ path: "/hook", ...options }));
    app.post("/other", async (request) => request.body);
    closers.push(() => app.close());
    return `${await app.listen({ port: 0, host: "127.0.0.1" })}/hook`;
  },
  Hono: () => {
    const handle = createFetchHandler(options);
    const app = new Hono().post("/hook", (context) => handle(context.req.raw));
    return listen(getRequestListener(app.fetch));
  },
  // A route handler of Next.js is a function from Request to Response, called as here.
  "a Next.js route handler": () => {
    const POST = createFetchHandler(options);
    return listen(getRequestListener((request) => POST(request)));
  },
};

const body = JSON.stringify({ event: "review.created", review: { text: "Großartig 😀" } });
const drop = JSON.stringify({ event: "review.rating_drop" });

describe.each(Object.keys(servers))("%s", (name) => {
  test("answers 204 to an event, 401 to a forged one, 500 when it can't be processed", async () => {
    const url = (await servers[name]?.()) ?? "";
    const post = async (sent: string, signed: Record<string, string>): Promise<number> => {
      const headers = { "content-type": "application/json", ...signed };
      return (await fetch(url, { method: "POST", headers, body: sent })).status;
    };
    expect(await post(body, sign(body))).toBe(204);
    expect(await post(`${body} `, sign(body))).toBe(401);
    expect(await post(drop, sign(drop))).toBe(500);
    expect(events).toEqual([JSON.parse(body)]);
  });
});

test("in Fastify the other routes go on parsing JSON", async () => {
  const url = (await servers["Fastify"]?.()) ?? "";
  const headers = { "content-type": "application/json" };
  const response = await fetch(url.replace("/hook", "/other"), {
    ...{ method: "POST", headers, body },
  });
  expect(await response.json()).toEqual(JSON.parse(body));
});

test("a body that Express parsed before is refused with what to do", async () => {
  const app = express().use(express.json());
  app.post("/hook", createNodeHandler(options));
  const headers = { "content-type": "application/json", ...sign(body) };
  const response = await fetch(await listen(app), { method: "POST", headers, body });
  expect([response.status, await response.text()]).toEqual([
    500,
    expect.stringContaining("express.raw"),
  ]);
});

describe("without onError", () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  afterAll(() => logged.mockRestore());
  const handle = async (
    sent: { text: string; headers: Record<string, string> },
    other: Partial<HandlerOptions>,
  ): Promise<[status: number, logged: string[]]> => {
    logged.mockClear();
    const request = new Request("http://localhost/hook", {
      method: "POST",
      headers: sent.headers,
      body: sent.text,
    });
    const { status } = await createFetchHandler({ secret, onEvent, ...other })(request);
    return [status, logged.mock.calls.map(([error]) => String(error))];
  };

  test("an error of onEvent is printed, and a forged request is not", async () => {
    expect(await handle({ text: drop, headers: sign(drop) }, {})).toEqual([
      500,
      ["Error: the queue is full"],
    ]);
    expect(await handle({ text: `${body} `, headers: sign(body) }, {})).toEqual([401, []]);
  });

  test.each([[""], [[]]])(
    "the empty secret %j is an error, also for a request signed with it",
    async (none) => {
      const signature = createHmac("sha256", "").update(body).digest("hex");
      const headers = { "x-service-signature": `sha256=${signature}` };
      expect(
        await handle({ text: body, headers }, { secret: none, acceptsBodySignature: true }),
      ).toEqual([500, ["TypeError: the channel's secret is empty"]]);
      expect(events).toEqual([]);
    },
  );
});

function sign(text: string): Record<string, string> {
  const at = new Date();
  return {
    "x-service-signature": `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`,
    "webhook-id": "d-1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("d-1", at, text),
  };
}
