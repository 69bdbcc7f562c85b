// How fast a store host is asked: one request at a time, a pause between two, and a rest after a row
// of blocks. Wraps any Http, so the connectors know nothing of it.
import type { Clock } from "../lib/clock.ts";
import type { Http, HttpAnswer, HttpRequest } from "../lib/http.ts";
import type { Pause } from "../lib/pause.ts";
import { formatTimestamp, hourMs, secondMs } from "../lib/timestamp.ts";
import type { Random } from "./schedule.ts";

export type Pace = {
  clock: Clock;
  pause: Pause;
  random: Random;
  requestsPerSecond: number;
};

// Five block-like answers in a row are no accident.
const blockCountMax = 5;
const restMs = hourMs;
const restMaxMs = 24 * hourMs;

type Host = {
  /** The end of the row of requests; each new one waits for it. */
  last: Promise<unknown>;
  freeAtMs: number;
  blockCount: number;
  restCount: number;
  restsUntilMs: number;
};

export function paceHttp(pace: Pace, http: Http): Http {
  const hosts = new Map<string, Host>();
  return (request) => {
    const name = new URL(request.url).host;
    const host = hosts.get(name) ?? newHost();
    hosts.set(name, host);
    const answer = host.last.then(() => sendPaced(pace, { http, host, name, request }));
    // The next in the row waits for this one, however it ends.
    host.last = answer.catch(() => undefined);
    return answer;
  };
}

async function sendPaced(
  pace: Pace,
  sent: { http: Http; host: Host; name: string; request: HttpRequest },
): Promise<HttpAnswer> {
  const { host } = sent;
  if (pace.clock.now().getTime() < host.restsUntilMs) return restingAnswer(sent.name, host);
  const waitMs = host.freeAtMs - pace.clock.now().getTime();
  if (waitMs > 0) await pace.pause(waitMs);
  const answer = await sent.http(sent.request);
  const gapMs = (secondMs / pace.requestsPerSecond) * (1 + 0.2 * pace.random());
  host.freeAtMs = pace.clock.now().getTime() + gapMs;
  countBlocks(pace, host, answer);
  return answer;
}

function countBlocks(pace: Pace, host: Host, answer: HttpAnswer): void {
  if (!looksBlocked(answer)) {
    host.blockCount = 0;
    host.restCount = 0;
    return;
  }
  host.blockCount += 1;
  if (host.blockCount < blockCountMax) return;
  host.blockCount = 0;
  host.restsUntilMs =
    pace.clock.now().getTime() + Math.min(restMs * 2 ** host.restCount, restMaxMs);
  host.restCount += 1;
}

function looksBlocked(answer: HttpAnswer): boolean {
  if (answer.kind === "failed") return answer.reason === "redirected";
  return answer.status === 403 || answer.status === 429;
}

function restingAnswer(name: string, host: Host): HttpAnswer {
  const until = formatTimestamp(new Date(host.restsUntilMs));
  return {
    kind: "failed",
    reason: "resting",
    detail: `${name} blocked requests again and again; it is left alone until ${until}`,
  };
}

function newHost(): Host {
  return { last: Promise.resolve(), freeAtMs: 0, blockCount: 0, restCount: 0, restsUntilMs: 0 };
}
