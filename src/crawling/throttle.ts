// How fast requests go to a store's host: one at a time, with a gap between two, and none while its
// circuit breaker is open. Wraps any Http, so that connectors know nothing of it, and any Store, because
// a block can stand inside a response of status 200, where only the connector sees it.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../lib/clock.ts";
import type { Delay } from "../lib/delay.ts";
import type { Http, HttpRequest, HttpResult } from "../lib/http.ts";
import { formatTimestamp, secondMs } from "../lib/timestamp.ts";
import type { Store } from "../stores/store.ts";
import { CircuitBreakers } from "./circuit-breaker.ts";
import type { Random } from "./retry.ts";

export type ThrottleOptions = {
  clock: Clock;
  delay: Delay;
  random: Random;
  requestsPerSecond: number;
};

export type ThrottledHttp = {
  http: Http;
  /**
   * The store, whose blocks count for the host that responded last. With an account they count for that
   * account alone: what one workspace's key may not see does not stop the requests of others.
   */
  wrapStore(store: Store, account?: string): Store;
  /** Requests that wait or are in flight, and breakers that are open. */
  counts(): { waitingCount: number; openBreakerCount: number };
  /** No more requests are sent, and those that wait or are in flight fail at once: the service stops. */
  stop(): void;
};

/** Requests to one host: the last of them, which the next one waits for, and when the gap is over. */
type HostQueue = { last: Promise<unknown>; freeAtMs: number };

/** One call of a store: the breaker of the host that responded last, and whether a host blocked. */
type StoreCall = { account: string; breaker: string | null; wasBlocked: boolean };

type Throttle = {
  options: ThrottleOptions;
  http: Http;
  breakers: CircuitBreakers;
  stop: AbortSignal;
};

type QueuedRequest = {
  request: HttpRequest;
  queue: HostQueue;
  host: string;
  call: StoreCall | null;
};

export function throttleHttp(options: ThrottleOptions, http: Http): ThrottledHttp {
  const queues = new Map<string, HostQueue>();
  const calls = new AsyncLocalStorage<StoreCall>();
  const stopping = new AbortController();
  const breakers = new CircuitBreakers(options.clock);
  const throttle: Throttle = { options, http, breakers, stop: stopping.signal };
  const counting =
    (account: string) =>
    async <T extends { outcome: string }>(fetchOnce: () => Promise<T>): Promise<T> => {
      const call: StoreCall = { account, breaker: null, wasBlocked: false };
      const fetched = await calls.run(call, fetchOnce);
      if (call.breaker === null || call.wasBlocked) return fetched;
      const isBlocked = "blocked" in fetched && fetched.blocked === true;
      if (isBlocked) breakers.recordBlock(call.breaker);
      else breakers.reset(call.breaker);
      return fetched;
    };
  let waitingCount = 0;
  return {
    counts: () => ({ waitingCount, openBreakerCount: breakers.openCount() }),
    http(request) {
      waitingCount += 1;
      const host = new URL(request.url).host;
      const queue = queues.get(host) ?? { last: Promise.resolve(), freeAtMs: 0 };
      queues.set(host, queue);
      const call = calls.getStore() ?? null;
      const response = queue.last.then(() => sendNext(throttle, { request, queue, host, call }));
      // The next request waits for this one, however it ends.
      queue.last = response
        .catch(() => undefined)
        .finally(() => {
          waitingCount -= 1;
        });
      return response;
    },
    wrapStore(store, account = "") {
      const count = counting(account);
      return {
        ...store,
        fetchReviews: (request) => count(() => store.fetchReviews(request)),
        fetchRatings: (request) => count(() => store.fetchRatings(request)),
        fetchApp: (request) => count(() => store.fetchApp(request)),
        findApps: (query) => count(() => store.findApps(query)),
      };
    },
    stop: () => stopping.abort(),
  };
}

async function sendNext(throttle: Throttle, queued: QueuedRequest): Promise<HttpResult> {
  const { options, breakers, stop } = throttle;
  const { host, queue, call } = queued;
  const breaker = call?.account ? `${host} ${call.account}` : host;
  const openUntil = breakers.openUntil(breaker);
  if (openUntil) {
    return notSent(
      `${host} blocked several requests; the next one is sent ${formatTimestamp(openUntil)}`,
    );
  }
  const waitMs = queue.freeAtMs - options.clock.now().getTime();
  if (waitMs > 0) await options.delay(waitMs, stop);
  if (stop.aborted) return notSent("the service is stopping");
  const response = await untilStopped(stop, throttle.http(queued.request));
  const gapMs = (secondMs / options.requestsPerSecond) * (1 + 0.2 * options.random());
  queue.freeAtMs = options.clock.now().getTime() + gapMs;
  countBlock(breakers, { breaker, response, call });
  return response;
}

// The request itself ends when its client is closed; nobody waits for it until then.
function untilStopped(stop: AbortSignal, sending: Promise<HttpResult>): Promise<HttpResult> {
  return new Promise((resolve, reject) => {
    const onStop = (): void => resolve(notSent("the service is stopping"));
    stop.addEventListener("abort", onStop, { once: true });
    sending.then(resolve, reject).finally(() => stop.removeEventListener("abort", onStop));
  });
}

function countBlock(
  breakers: CircuitBreakers,
  sent: { breaker: string; response: HttpResult; call: StoreCall | null },
): void {
  const { breaker, response, call } = sent;
  if (isBlock(response)) {
    if (call) call.wasBlocked = true;
    breakers.recordBlock(breaker);
    return;
  }
  // Without any response nothing is known of blocks.
  if (response.kind === "failed") return;
  // Whether a response of status 200 is a block is for the store to say.
  if (call) call.breaker = breaker;
  else breakers.reset(breaker);
}

function isBlock(response: HttpResult): boolean {
  if (response.kind === "failed") return response.reason === "redirected";
  return response.status === 403 || response.status === 429;
}

function notSent(detail: string): HttpResult {
  return { kind: "failed", reason: "not_sent", detail };
}
