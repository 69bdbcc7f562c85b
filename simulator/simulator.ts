// All stores on one HTTP server on loopback. Responses come from a store state or from recorded
// bodies; faults can be switched on and off while it runs.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Clock } from "../src/lib/clock.ts";
import { handleAddonDetails, handleAddonRatings, handleAddonSearch } from "./addons-api.ts";
import { type ApiAccounts, ApiAuth } from "./api-auth.ts";
import { handleFeed } from "./apple-feed.ts";
import { handleLookup, handleSearch } from "./apple-lookup.ts";
import { handleCustomerReviews, handleProductPage, handleReviewRows } from "./apple-pages.ts";
import { handleConnectAnswers } from "./connect-answers.ts";
import { handleConnect, type OfficialApiDeps } from "./connect-api.ts";
import { controlPath, handleControl } from "./control.ts";
import { addControlApps } from "./control-apps.ts";
import { FaultFlags, type FaultRule } from "./fault-flags.ts";
import { applyFault } from "./faults.ts";
import { drawIcon, iconPath } from "./icon.ts";
import { handlePlayAnswers } from "./play-answers.ts";
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
  /** Every request to a store, oldest first. */
  requests: readonly ServedRequest[];
  /** Keys and quotas of the official APIs. */
  apiAuth: ApiAuth;
  close(): Promise<void>;
};

export type ServedRequest = StoreRequest & { status: number; at: Date };

export type SimulatorOptions = {
  clock: Clock;
  /** 0 picks a free port. */
  port?: number;
  faults?: readonly FaultRule[];
  accounts?: ApiAccounts;
  /** Moves the clock, for the remote control. */
  advance?: (durationMs: number) => void;
} & ({ storeState: StoreState } | { replay: Replay });

/** Older requests are dropped, so that a demo can run for weeks. */
const requestsMax = 10_000;

export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { clock, advance = null } = options;
  const faultFlags = new FaultFlags(options.faults);
  const requests: ServedRequest[] = [];
  const apiAuth = new ApiAuth(clock, options.accounts);
  if ("storeState" in options) addControlApps(options.storeState);
  const respond = async (request: StoreRequest): Promise<StoreResponse> =>
    "storeState" in options
      ? respondFrom({ storeState: options.storeState, apiAuth }, request)
      : options.replay.respond(request, clock);

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const url = new URL(incoming.url ?? "/", "http://simulator.invalid");
    const method = incoming.method ?? "GET";
    const { headers } = incoming;
    const body = await text(incoming);
    if (url.pathname === controlPath || url.pathname.startsWith(`${controlPath}/`)) {
      const now = (): Date => clock.now();
      const deps = { faultFlags, requestCount: requests.length, now, advance };
      const response = handleControl(deps, { method, url, body });
      return sendResponse(outgoing, { incoming, clock, response });
    }
    const icon = iconPath.exec(url.pathname)?.[1];
    if (icon !== undefined) {
      outgoing.writeHead(200, { "content-type": "image/png" }).end(drawIcon(icon));
      return;
    }
    const request = parseStoreRequest({ method, url, headers, body });
    if (!request)
      return sendResponse(outgoing, { incoming, clock, response: unknownPathResponse(url) });
    if (request.batch) request.page = pageOfToken(request.batch.token);
    const rules = faultFlags.consume(request);
    // A request that is lost on its way leaves the store as it is.
    const isLost = rules.some(({ isLost }) => isLost);
    const good = isLost ? errorResponse(503, "Service Unavailable") : await respond(request);
    const response = rules.reduce(
      (seen, rule) => applyFault(seen, { ...rule, name: rule.fault }),
      good,
    );
    requests.push({ ...request, status: response.status, at: clock.now() });
    if (requests.length > requestsMax) requests.shift();
    sendResponse(outgoing, { incoming, clock, response });
  };
  const server = createServer((incoming, outgoing) => {
    // The client closed the connection while its body was read: nothing is left to respond to.
    serve(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faultFlags,
    requests,
    apiAuth,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The good response, without faults and without a server. */
export async function respondFrom(
  deps: OfficialApiDeps,
  request: StoreRequest,
): Promise<StoreResponse> {
  return handlers[request.kind](deps, request);
}

type RequestHandler = (
  deps: OfficialApiDeps,
  request: StoreRequest,
) => StoreResponse | Promise<StoreResponse>;

const handlers: Record<RequestKind, RequestHandler> = {
  rss: ({ storeState }, request) => handleFeed(storeState, request),
  "review-rows": ({ storeState }, request) => handleReviewRows(storeState, request),
  lookup: ({ storeState }, request) => handleLookup(storeState, request),
  search: ({ storeState }, request) => handleSearch(storeState, request),
  "product-page": ({ storeState }, request) => handleProductPage(storeState, request),
  "customer-reviews": ({ storeState }, request) => handleCustomerReviews(storeState, request),
  "connect-reviews": handleConnect,
  "connect-versions": handleConnect,
  "connect-version-reviews": handleConnect,
  "connect-answer": handleConnectAnswers,
  "connect-review": handleConnectAnswers,
  "connect-answering": handleConnectAnswers,
  "connect-withdrawal": handleConnectAnswers,
  "play-reviews": ({ storeState }, request) => handlePlayReviews(storeState, request),
  "play-details": ({ storeState }, request) => handleDetails(storeState, request),
  "play-search": ({ storeState }, request) => handlePlaySearch(storeState, request),
  "google-token": handleTokenRequest,
  "play-api": handlePlayApi,
  "play-review": handlePlayAnswers,
  "play-answering": handlePlayAnswers,
  "storage-list": handleStorage,
  "storage-object": handleStorage,
  "addon-ratings": ({ storeState }, request) => handleAddonRatings(storeState, request),
  "addon-details": ({ storeState }, request) => handleAddonDetails(storeState, request),
  "addon-search": ({ storeState }, request) => handleAddonSearch(storeState, request),
};

function unknownPathResponse(url: URL): StoreResponse {
  if (!url.pathname.startsWith("/sorry/")) return errorResponse(404, "Not Found");
  return errorResponse(
    429,
    "Our systems have detected unusual traffic from your computer network.",
  );
}
