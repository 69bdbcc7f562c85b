// How fast requests go to a store's host: one at a time in a process, with a gap between two of all processes,
// and none while the circuit breaker is open. Those who wait take turns, so that one workspace's questions don't hold up
// crawls and other workspaces. Wraps any Http, so that connectors know nothing of it, and any Store, because
// a block can stand inside a response of status 200, where only the connector sees it.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "../database/database.ts";
import type { StoreAnswers } from "../domain/review/store-answer.ts";
import type { Clock } from "../lib/clock.ts";
import type { Delay } from "../lib/delay.ts";
import { createFairQueue, type TakeTurn, type Turn } from "../lib/fair-queue.ts";
import type { Http, HttpRequest, HttpResult } from "../lib/http.ts";
import { formatTimestamp, secondMs } from "../lib/timestamp.ts";
import { unknownOutcome } from "../stores/response-check.ts";
import type { Store, UnknownOutcome } from "../stores/store.ts";
import {
  type BreakerKey,
  type BreakerRepository,
  CircuitBreakers,
  type FailureKind,
} from "./circuit-breaker.ts";
import type { Random } from "./retry.ts";

type HostRepository = BreakerRepository & Pick<Database, "reserveRequest">;

export type ThrottleOptions = {
  clock: Clock;
  delay: Delay;
  random: Random;
  requestsPerSecond: number;
  /** Shared by all processes on one database. */
  hosts: HostRepository;
};

export type ThrottledHttp = {
  http: Http;
  /**
   * The store, whose blocks count for the host that responded last. With an account they count for that
   * account alone: what one workspace's key may not see does not stop the requests of others.
   */
  wrapStore(store: Store, account?: string): Store;
  /** The stores for the requests of one caller, which wait in a line of their own, for a few seconds at most, and end with the caller. */
  forCaller<Stores extends Readonly<Record<string, Store>>>(
    stores: Stores,
    caller: StoreCaller,
  ): Stores;
  /** Requests that wait or are in flight, and breakers that are open. */
  counts(): { waitingCount: number };
  /** No more requests are sent, and those that wait or are in flight fail at once: the service stops. */
  stop(): void;
};

export type StoreCaller = { workspaceId: string; signal: AbortSignal };

/** One call of a store: the breaker of the host that responded last, and whether a host failed. */
type StoreCall = {
  /** The kind of request: a host may block reviews and still serve ratings. */
  kind: string;
  account: string;
  /** null: a search. */
  app: string | null;
  /** null: the service itself. */
  caller: StoreCaller | null;
  breaker: BreakerKey | null;
  hasFailed: boolean;
};

type Throttle = {
  options: ThrottleOptions;
  http: Http;
  breakers: CircuitBreakers;
  stop: AbortSignal;
};

type QueuedRequest = {
  request: HttpRequest;
  host: string;
  call: StoreCall | null;
};

export function throttleHttp(options: ThrottleOptions, http: Http): ThrottledHttp {
  /** By host. */
  const queues = new Map<string, TakeTurn<Turn>>();
  const calls = new AsyncLocalStorage<StoreCall>();
  let runningCount = 0;
  const stopping = new AbortController();
  const breakers = new CircuitBreakers({ clock: options.clock, breakers: options.hosts });
  const throttle: Throttle = { options, http, breakers, stop: stopping.signal };
  const runCall = <T>(call: StoreCall, work: () => Promise<T>): Promise<T> => {
    runningCount += 1;
    return calls.run(call, work).finally(() => {
      runningCount -= 1;
      // Node hooks every promise of the process while a storage is in use, which doubles what each costs.
      if (runningCount === 0) calls.disable();
    });
  };
  const counting =
    (account: string) =>
    async <T extends { outcome: string }>(
      requested: { kind: string; app: string | null },
      fetchOnce: () => Promise<T>,
    ): Promise<T> => {
      const caller = calls.getStore()?.caller ?? null;
      const call: StoreCall = { ...requested, ...newCall, account, caller };
      const fetched = await runCall(call, fetchOnce);
      if (call.breaker === null || call.hasFailed) return fetched;
      const isBlocked = "blocked" in fetched && fetched.blocked === true;
      const cause = "reason" in fetched ? String(fetched.reason) : "blocked";
      if (isBlocked) await breakers.recordFailure(call.breaker, { kind: "block", cause });
      else await breakers.reset(call.breaker);
      return fetched;
    };
  let waitingCount = 0;
  return {
    counts: () => ({ waitingCount }),
    http(request) {
      waitingCount += 1;
      const host = new URL(request.url).host;
      const takeTurn = queues.get(host) ?? createFairQueue({ slotCount: 1, isInTurns: true });
      queues.set(host, takeTurn);
      const call = calls.getStore() ?? null;
      const line = call?.caller?.workspaceId ?? "";
      return takeTurn({ line }, () => sendNext(throttle, { request, host, call })).finally(() => {
        waitingCount -= 1;
      });
    },
    forCaller: (stores, caller) => callAs(stores, (work) => runCall(callOf(caller), work)),
    wrapStore(store, account = "") {
      const counted = counting(account);
      const count: CountCall = (kind, { externalAppId = null }, fetchOnce) =>
        counted({ kind, app: externalAppId }, fetchOnce);
      const { answers, readRatingAverages } = store;
      return {
        ...store,
        fetchReviews: (request) => count("reviews", request, () => store.fetchReviews(request)),
        fetchRatings: (request) => count("ratings", request, () => store.fetchRatings(request)),
        ...(readRatingAverages && {
          readRatingAverages: (request) =>
            count("exports", request, () => readRatingAverages(request)),
        }),
        ...(answers && { answers: countAnswers(answers, count) }),
        fetchApp: (request) => count("apps", request, () => store.fetchApp(request)),
        findApps: (query) => count("apps", {}, () => store.findApps(query)),
      };
    },
    stop: () => stopping.abort(),
  };
}

type CountCall = <T extends { outcome: string }>(
  kind: string,
  app: { externalAppId?: string },
  fetchOnce: () => Promise<T>,
) => Promise<T>;

function countAnswers(answers: StoreAnswers, count: CountCall): StoreAnswers {
  return {
    read: (review) => count("answers", review, () => answers.read(review)),
    publish: (answer) => count("answers", answer, () => answers.publish(answer)),
    withdraw: (review) => count("answers", review, () => answers.withdraw(review)),
  };
}

const newCall = { breaker: null, hasFailed: false };

function callOf(caller: StoreCaller): StoreCall {
  return { kind: "", account: "", app: null, ...newCall, caller };
}

function callAs<Stores extends Readonly<Record<string, Store>>>(
  stores: Stores,
  run: <T>(work: () => Promise<T>) => Promise<T>,
): Stores {
  const found = Object.entries(stores).map(([id, store]) => [
    id,
    {
      ...store,
      fetchApp: (request) => inTime(run(() => store.fetchApp(request))),
      findApps: (query) => inTime(run(() => store.findApps(query))),
    } satisfies Store,
  ]);
  return Object.fromEntries(found);
}

/** A user waits for the answer, and a store that says nothing has not said no. */
const callerMsMax = 5 * secondMs;

/** The request goes on: the next one to its host may be sent when it has ended. */
function inTime<T>(work: Promise<T>): Promise<T | UnknownOutcome> {
  return new Promise((resolve, reject) => {
    const late = unknownOutcome(
      `the store did not answer within ${callerMsMax / secondMs} seconds`,
    );
    const timer = setTimeout(resolve, callerMsMax, late);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

// Reservations of all processes together are never further ahead; one that is comes from a wrong clock.
const aheadGapCountMax = 100;

async function sendNext(throttle: Throttle, queued: QueuedRequest): Promise<HttpResult> {
  const { options, breakers, stop } = throttle;
  const { host, call } = queued;
  const { kind = "other", account = "", app = null, caller = null } = call ?? {};
  if (caller?.signal.aborted) return notSent("its caller has left");
  const breaker = { host, kind, account, app };
  const open = await breakers.findOpen(breaker);
  if (open) {
    const { cause, openUntil } = open;
    const retryAfterMs = Math.max(0, openUntil.getTime() - options.clock.now().getTime());
    const next = `the next request is sent ${formatTimestamp(openUntil)}`;
    return { ...notSent(`${host} failed several in a row (${cause}); ${next}`), retryAfterMs };
  }
  const gapMs = (secondMs / options.requestsPerSecond) * (1 + 0.2 * options.random());
  const now = options.clock.now();
  const aheadMsMax = gapMs * aheadGapCountMax;
  const at = await options.hosts.reserveRequest({ host, now, gapMs, aheadMsMax });
  // The wait is measured once and then waited by the monotonic clock: a step of the clock changes nothing.
  const waitMs = at.getTime() - now.getTime();
  if (waitMs > 0) await options.delay(waitMs, stop);
  if (stop.aborted) return notSent("the service is stopping");
  if (queued.request.isStillWanted?.() === false) return notSent("it waited for its turn too long");
  const response = await untilStopped(stop, throttle.http(queued.request));
  if (!queued.request.isAside) await countFailure(breakers, { breaker, response, call });
  return response;
}

// The request itself ends when its client is closed; no request waits for it until then.
function untilStopped(stop: AbortSignal, sending: Promise<HttpResult>): Promise<HttpResult> {
  return new Promise((resolve, reject) => {
    const onStop = (): void => resolve(notSent("the service is stopping"));
    stop.addEventListener("abort", onStop, { once: true });
    sending.then(resolve, reject).finally(() => stop.removeEventListener("abort", onStop));
  });
}

async function countFailure(
  breakers: CircuitBreakers,
  sent: { breaker: BreakerKey; response: HttpResult; call: StoreCall | null },
): Promise<void> {
  const { breaker, response, call } = sent;
  const failure = failureOf(response);
  if (failure !== null) {
    if (call) call.hasFailed = true;
    return breakers.recordFailure(breaker, failure);
  }
  // Without any response nothing is known of blocks.
  if (response.kind === "failed") return;
  // Whether a response of status 200 is a block is for the store to say.
  if (call) call.breaker = breaker;
  else await breakers.reset(breaker);
}

function failureOf(response: HttpResult): { kind: FailureKind; cause: string } | null {
  if (response.kind === "response") {
    const { status } = response;
    const isBlock = status === 403 || status === 429;
    return isBlock ? { kind: "block", cause: `HTTP ${status}` } : null;
  }
  if (response.reason === "timeout") return { kind: "timeout", cause: "no answer in time" };
  return response.reason === "redirected"
    ? { kind: "block", cause: "redirected to another host" }
    : null;
}

function notSent(detail: string): HttpResult & { kind: "failed" } {
  return { kind: "failed", reason: "not_sent", detail };
}
