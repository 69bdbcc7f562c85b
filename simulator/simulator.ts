// Both app stores on one HTTP server on loopback, from a world or from recorded bodies, with faults
// that can be switched on and off while it runs.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Clock } from "../src/lib/clock.ts";
import { type ApiAccounts, ApiAuth } from "./api-auth.ts";
import { handleFeed } from "./apple-feed.ts";
import { handleLookup, handleSearch } from "./apple-lookup.ts";
import { handleCustomerReviews, handleProductPage, handleReviewRows } from "./apple-pages.ts";
import { handleConnect, type OfficialApiDeps } from "./connect-api.ts";
import { controlPath, handleControl } from "./control.ts";
import { addControlApps } from "./control-apps.ts";
import { FaultFlags, type FaultRule } from "./fault-flags.ts";
import { applyFault } from "./faults.ts";
import { handlePlayApi, handleTokenRequest } from "./play-api.ts";
import { handlePlayReviews, pageOfToken } from "./play-batch.ts";
import { handleDetails } from "./play-details.ts";
import { handlePlaySearch } from "./play-search.ts";
import { handleStorage } from "./play-storage.ts";
import type { Replay } from "./replay.ts";
import { sendResponse } from "./send-response.ts";
import { parseStoreRequest, type RequestKind, type StoreRequest } from "./store-request.ts";
import { errorResponse, type StoreResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

export type Simulator = {
  /** Base of every store, without a slash at the end. */
  url: string;
  faultFlags: FaultFlags;
  /** What was asked, oldest first. */
  requests: readonly ServedRequest[];
  /** Of the official APIs. */
  apiAuth: ApiAuth;
  close(): Promise<void>;
};

export type ServedRequest = StoreRequest & { status: number; at: Date };

export type SimulatorOptions = {
  clock: Clock;
  /** 0 takes a free one. */
  port?: number;
  faults?: readonly FaultRule[];
  accounts?: ApiAccounts;
  /** Moves the clock, for the remote control. */
  advance?: (durationMs: number) => void;
} & ({ storeState: StoreState } | { replay: Replay });

/** Old requests are forgotten so that a demo can run for weeks. */
const requestsMax = 10_000;

export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock, advance = null } = options;
  const switches = new FaultFlags(options.faults);
  const requests: ServedRequest[] = [];
  const accounts = new ApiAuth(clock, options.accounts);
  if ("storeState" in options) addControlApps(options.storeState);
  const answerWell = async (request: StoreRequest): Promise<StoreResponse> =>
    "storeState" in options
      ? answerers[request.kind]({ world: options.storeState, accounts }, request)
      : options.replay.respond(request, clock);

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? "/", "http://simulator.invalid");
    const method = incoming.method ?? "GET";
    const { headers } = incoming;
    const body = await text(incoming);
    if (url.pathname === controlPath || url.pathname.startsWith(`${controlPath}/`)) {
      const now = (): Date => clock.now();
      const controlled = { switches, requestCount: requests.length, now, advance };
      const answer = handleControl(controlled, { method, url, body });
      return sendResponse(response, { incoming, clock, answer });
    }
    const request = parseStoreRequest({ method, url, headers, body });
    if (!request) return sendResponse(response, { incoming, clock, answer: strayAnswer(url) });
    if (request.batch) request.page = pageOfToken(request.batch.token);
    const rules = switches.consume(request);
    const good = await answerWell(request);
    const answer = rules.reduce(
      (seen, rule) => applyFault(seen, { ...rule, name: rule.fault }),
      good,
    );
    requests.push({ ...request, status: answer.status, at: clock.now() });
    if (requests.length > requestsMax) requests.shift();
    sendResponse(response, { incoming, clock, answer });
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
    faultFlags: switches,
    requests,
    apiAuth: accounts,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answerer = (
  deps: OfficialApiDeps,
  request: StoreRequest,
) => StoreResponse | Promise<StoreResponse>;

const answerers: Record<RequestKind, Answerer> = {
  rss: ({ world }, request) => handleFeed(world, request),
  "review-rows": ({ world }, request) => handleReviewRows(world, request),
  lookup: ({ world }, request) => handleLookup(world, request),
  search: ({ world }, request) => handleSearch(world, request),
  "product-page": ({ world }, request) => handleProductPage(world, request),
  "customer-reviews": ({ world }, request) => handleCustomerReviews(world, request),
  "connect-apps": handleConnect,
  "connect-reviews": handleConnect,
  "play-reviews": ({ world }, request) => handlePlayReviews(world, request),
  "play-details": ({ world }, request) => handleDetails(world, request),
  "play-search": ({ world }, request) => handlePlaySearch(world, request),
  "google-token": handleTokenRequest,
  "play-api": handlePlayApi,
  "storage-list": handleStorage,
  "storage-object": handleStorage,
};

function strayAnswer(url: URL): StoreResponse {
  if (!url.pathname.startsWith("/sorry/")) return errorResponse(404, "Not Found");
  return errorResponse(
    429,
    "Our systems have detected unusual traffic from your computer network.",
  );
}
