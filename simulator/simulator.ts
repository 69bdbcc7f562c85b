// Both app stores on one HTTP server on loopback, from a world or from recorded bodies, with faults
// that can be switched on and off while it runs.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Clock } from "../src/lib/clock.ts";
import { Accounts, type AccountsOptions } from "./accounts.ts";
import { type Answer, errorPage } from "./answer.ts";
import { answerFeed } from "./apple-feed.ts";
import { answerLookup, answerSearch } from "./apple-lookup.ts";
import { answerCustomerReviews, answerProductPage, answerReviewRows } from "./apple-pages.ts";
import { answerConnect, type OfficialRooms } from "./connect-api.ts";
import { answerControl, controlPath } from "./control.ts";
import { plantControlApps } from "./control-app.ts";
import { spoil } from "./faults.ts";
import { answerPlayApi, answerToken } from "./play-api.ts";
import { answerReviews, pageOfToken } from "./play-batch.ts";
import { answerDetails } from "./play-details.ts";
import { answerPlaySearch } from "./play-search.ts";
import { answerStorage } from "./play-storage.ts";
import type { Replay } from "./replay.ts";
import { sendAnswer } from "./send-answer.ts";
import { type RequestKind, readStoreRequest, type StoreRequest } from "./store-request.ts";
import { Switches, type SwitchRule } from "./switches.ts";
import type { World } from "./world.ts";

export type Simulator = {
  /** Base of every store, without a slash at the end. */
  url: string;
  switches: Switches;
  /** What was asked, oldest first. */
  requests: readonly ServedRequest[];
  /** Of the official APIs. */
  accounts: Accounts;
  close(): Promise<void>;
};

export type ServedRequest = StoreRequest & { status: number; at: Date };

export type SimulatorOptions = {
  clock: Clock;
  /** 0 takes a free one. */
  port?: number;
  switches?: readonly SwitchRule[];
  accounts?: AccountsOptions;
  /** Moves the clock, for the remote control. */
  advance?: (durationMs: number) => void;
} & ({ world: World } | { replay: Replay });

/** Old requests are forgotten so that a demo can run for weeks. */
const requestsMax = 10_000;

export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock, advance = null } = options;
  const switches = new Switches(options.switches);
  const requests: ServedRequest[] = [];
  const accounts = new Accounts(clock, options.accounts);
  if ("world" in options) plantControlApps(options.world);
  const answerWell = async (request: StoreRequest): Promise<Answer> =>
    "world" in options
      ? answerers[request.kind]({ world: options.world, accounts }, request)
      : options.replay.answer(request, clock);

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? "/", "http://simulator.invalid");
    const method = incoming.method ?? "GET";
    const { headers } = incoming;
    const body = await text(incoming);
    if (url.pathname === controlPath || url.pathname.startsWith(`${controlPath}/`)) {
      const now = (): Date => clock.now();
      const controlled = { switches, requestCount: requests.length, now, advance };
      const answer = answerControl(controlled, { method, url, body });
      return sendAnswer(response, { incoming, clock, answer });
    }
    const request = readStoreRequest({ method, url, headers, body });
    if (!request) return sendAnswer(response, { incoming, clock, answer: strayAnswer(url) });
    if (request.batch) request.page = pageOfToken(request.batch.token);
    const rules = switches.take(request);
    const good = await answerWell(request);
    const answer = rules.reduce((seen, rule) => spoil(seen, { ...rule, name: rule.fault }), good);
    requests.push({ ...request, status: answer.status, at: clock.now() });
    if (requests.length > requestsMax) requests.shift();
    sendAnswer(response, { incoming, clock, answer });
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
    accounts,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answerer = (deps: OfficialRooms, request: StoreRequest) => Answer | Promise<Answer>;

const answerers: Record<RequestKind, Answerer> = {
  rss: ({ world }, request) => answerFeed(world, request),
  "review-rows": ({ world }, request) => answerReviewRows(world, request),
  lookup: ({ world }, request) => answerLookup(world, request),
  search: ({ world }, request) => answerSearch(world, request),
  "product-page": ({ world }, request) => answerProductPage(world, request),
  "customer-reviews": ({ world }, request) => answerCustomerReviews(world, request),
  "connect-apps": answerConnect,
  "connect-reviews": answerConnect,
  "play-reviews": ({ world }, request) => answerReviews(world, request),
  "play-details": ({ world }, request) => answerDetails(world, request),
  "play-search": ({ world }, request) => answerPlaySearch(world, request),
  "google-token": answerToken,
  "play-api": answerPlayApi,
  "storage-list": answerStorage,
  "storage-object": answerStorage,
};

function strayAnswer(url: URL): Answer {
  if (!url.pathname.startsWith("/sorry/")) return errorPage(404, "Not Found");
  return errorPage(429, "Our systems have detected unusual traffic from your computer network.");
}
