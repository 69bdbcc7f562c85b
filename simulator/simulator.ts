// Both app stores on one HTTP server on loopback, from a world or from recorded bodies, with faults
// that can be switched on and off while it runs.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import type { Clock } from "../src/lib/clock.ts";
import { type Answer, errorPage } from "./answer.ts";
import { answerFeed } from "./apple-feed.ts";
import { answerLookup, answerProductPage } from "./apple-pages.ts";
import { plantControlApp } from "./control-app.ts";
import { spoil } from "./faults.ts";
import { answerReviews, pageOfToken } from "./play-batch.ts";
import { answerDetails } from "./play-details.ts";
import type { Replay } from "./replay.ts";
import { type RequestKind, readStoreRequest, type StoreRequest } from "./store-request.ts";
import { Switches, type SwitchRule } from "./switches.ts";
import type { World } from "./world.ts";

export type Simulator = {
  /** Base of every store, without a slash at the end. */
  url: string;
  switches: Switches;
  /** What was asked, oldest first. */
  requests: readonly ServedRequest[];
  close(): Promise<void>;
};

export type ServedRequest = StoreRequest & { status: number; at: Date };

export type SimulatorOptions = {
  clock: Clock;
  /** 0 takes a free one. */
  port?: number;
  switches?: readonly SwitchRule[];
} & ({ world: World } | { replay: Replay });

/** Old requests are forgotten so that a demo can run for weeks. */
const requestsMax = 10_000;

export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock } = options;
  const switches = new Switches(options.switches);
  const requests: ServedRequest[] = [];
  if ("world" in options) plantControlApp(options.world);
  const answerWell = (request: StoreRequest): Answer =>
    "world" in options
      ? answerers[request.kind](options.world, request)
      : options.replay.answer(request, clock);

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? "/", "http://simulator.invalid");
    const method = incoming.method ?? "GET";
    const request = readStoreRequest({ method, url, body: await text(incoming) });
    if (!request) return send(response, { incoming, clock, answer: strayAnswer(url) });
    if (request.batch) request.page = pageOfToken(request.batch.token);
    const answer = switches
      .take(request)
      .reduce((good, rule) => spoil(good, { ...rule, name: rule.fault }), answerWell(request));
    requests.push({ ...request, status: answer.status, at: clock.now() });
    if (requests.length > requestsMax) requests.shift();
    send(response, { incoming, clock, answer });
  };
  const server = createServer((incoming, response) => {
    // A caller that goes away while its body is read is no concern of the simulator.
    serve(incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switches,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const answerers: Record<RequestKind, (world: World, request: StoreRequest) => Answer> = {
  rss: answerFeed,
  lookup: answerLookup,
  "product-page": answerProductPage,
  "play-reviews": answerReviews,
  "play-details": answerDetails,
};

function strayAnswer(url: URL): Answer {
  if (!url.pathname.startsWith("/sorry/")) return errorPage(404, "Not Found");
  return errorPage(429, "Our systems have detected unusual traffic from your computer network.");
}

function send(
  response: ServerResponse,
  sending: { incoming: IncomingMessage; clock: Clock; answer: Answer },
): void {
  const { incoming, clock, answer } = sending;
  const zip = /\bgzip\b/.test(String(incoming.headers["accept-encoding"] ?? ""));
  const body = zip ? gzipSync(answer.body) : Buffer.from(answer.body);
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(zip ? { "content-encoding": "gzip" } : {}),
    date: clock.now().toUTCString(),
    "content-length": String(body.length),
  });
  if (answer.ending === undefined) {
    response.end(body);
    return;
  }
  const half = body.subarray(0, Math.floor(body.length / 2));
  response.write(half, () => {
    if (answer.ending === "cut") response.destroy();
  });
}
