// How fast a store host is asked: one request at a time, a pause between two, and a rest after a row
// of blocks. Wraps any Http, so the connectors know nothing of it, and any Store, because a block can
// stand inside an answer of status 200 and only the connector sees it there.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../lib/clock.ts";
import type { Delay } from "../lib/delay.ts";
import type { Http, HttpAnswer, HttpRequest } from "../lib/http.ts";
import { formatTimestamp, secondMs } from "../lib/timestamp.ts";
import type { Store } from "../stores/store.ts";
import { Breakers } from "./circuit-breaker.ts";
import type { Random } from "./schedule.ts";

export type Pace = {
  clock: Clock;
  delay: Delay;
  random: Random;
  requestsPerSecond: number;
};

export type PacedHttp = {
  http: Http;
  /**
   * The store, whose answers in words count for the host that was asked last. An account's blocks are its
   * own: what one workspace's key may not see is no reason to leave the others unanswered.
   */
  watch(store: Store, account?: string): Store;
  /** Nothing more is sent, and what waits or is on its way fails at once: the service stops. */
  stop(): void;
};

/** One host's row: the end of it, which each new request waits for, and when the host is free. */
type Row = { last: Promise<unknown>; freeAtMs: number };

/** What one question to a store has asked: the host that answered last, and whether one blocked. */
type Question = { account: string; answered: string | null; wasBlocked: boolean };

type Asked = { request: HttpRequest; row: Row; host: string; question: Question | null };

export function paceHttp(pace: Pace, http: Http): PacedHttp {
  const rows = new Map<string, Row>();
  const questions = new AsyncLocalStorage<Question>();
  const stopping = new AbortController();
  const breakers = new Breakers(pace.clock);
  const line: Line = { pace, http, breakers, stop: stopping.signal };
  const watching =
    (account: string) =>
    async <T extends { outcome: string }>(fetchOnce: () => Promise<T>): Promise<T> => {
      const question: Question = { account, answered: null, wasBlocked: false };
      const found = await questions.run(question, fetchOnce);
      const isBlocked = "blocked" in found && found.blocked === true;
      if (question.answered === null || question.wasBlocked) return found;
      if (isBlocked) breakers.addBlock(question.answered);
      else breakers.forgetBlocks(question.answered);
      return found;
    };
  return {
    http(request) {
      const host = new URL(request.url).host;
      const row = rows.get(host) ?? { last: Promise.resolve(), freeAtMs: 0 };
      rows.set(host, row);
      const question = questions.getStore() ?? null;
      const answer = row.last.then(() => sendPaced(line, { request, row, host, question }));
      // The next in the row waits for this one, however it ends.
      row.last = answer.catch(() => undefined);
      return answer;
    },
    watch(store, account = "") {
      const ask = watching(account);
      return {
        ...store,
        fetchReviews: (asked) => ask(() => store.fetchReviews(asked)),
        fetchRatings: (asked) => ask(() => store.fetchRatings(asked)),
        fetchApp: (asked) => ask(() => store.fetchApp(asked)),
        findApps: (query) => ask(() => store.findApps(query)),
      };
    },
    stop: () => stopping.abort(),
  };
}

type Line = { pace: Pace; http: Http; breakers: Breakers; stop: AbortSignal };

async function sendPaced(line: Line, asked: Asked): Promise<HttpAnswer> {
  const { pace, stop } = line;
  const { host, row, question } = asked;
  const breaker = question?.account ? `${host} ${question.account}` : host;
  const restsUntil = line.breakers.restsUntil(breaker);
  if (restsUntil) return restingAnswer(host, restsUntil);
  const waitMs = row.freeAtMs - pace.clock.now().getTime();
  if (waitMs > 0) await pace.delay(waitMs, stop);
  if (stop.aborted) return stoppedAnswer;
  const answer = await orStopped(stop, line.http(asked.request));
  const gapMs = (secondMs / pace.requestsPerSecond) * (1 + 0.2 * pace.random());
  row.freeAtMs = pace.clock.now().getTime() + gapMs;
  countBlocks(line.breakers, { breaker, answer, question });
  return answer;
}

// The request itself ends when its client is closed; nobody waits for it until then.
function orStopped(stop: AbortSignal, sending: Promise<HttpAnswer>): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const onStop = (): void => resolve(stoppedAnswer);
    stop.addEventListener("abort", onStop, { once: true });
    sending.then(resolve, reject).finally(() => stop.removeEventListener("abort", onStop));
  });
}

function countBlocks(
  breakers: Breakers,
  sent: { breaker: string; answer: HttpAnswer; question: Question | null },
): void {
  const { breaker, answer, question } = sent;
  if (looksBlocked(answer)) {
    if (question) question.wasBlocked = true;
    breakers.addBlock(breaker);
    return;
  }
  // What got no answer at all says nothing of blocks.
  if (answer.kind === "failed") return;
  // Whether it was an answer is for the store to say.
  if (question) question.answered = breaker;
  else breakers.forgetBlocks(breaker);
}

function looksBlocked(answer: HttpAnswer): boolean {
  if (answer.kind === "failed") return answer.reason === "redirected";
  return answer.status === 403 || answer.status === 429;
}

function restingAnswer(host: string, until: Date): HttpAnswer {
  const detail = `${host} blocked requests again and again; it is left alone until ${formatTimestamp(until)}`;
  return { kind: "failed", reason: "resting", detail };
}

const stoppedAnswer: HttpAnswer = {
  kind: "failed",
  reason: "resting",
  detail: "the service is stopping",
};
