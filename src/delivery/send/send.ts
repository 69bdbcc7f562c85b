// One guarded POST: under one total deadline over look-up, connect, TLS, headers and body, without
// redirects, and with the answer's status line as the only judge.

import { isIP, type LookupFunction } from "node:net";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { cleanText } from "../../domain/clean-text.ts";
import { monotonicMs } from "../../lib/clock.ts";
import { explainFailure, explainTimeout, type FailureReason } from "../../lib/failure-causes.ts";
import {
  type Exchange,
  isUnread,
  noteNextExchange,
  watchExchanges,
} from "../../lib/http-exchange.ts";
import { type OutgoingProxy, openRoutes } from "../../lib/outgoing-proxy.ts";
import { readProxyReason } from "../../lib/proxy-answer.ts";
import { readRetryAfter } from "../../lib/retry-after.ts";
import { canParseUrl, withoutBrackets } from "../../lib/urls.ts";
import { type Answered, unanswered } from "./endpoint.ts";
import type { HostNames } from "./host-names.ts";
import { checkWebhookUrl, type UrlCheck, type UrlPolicy } from "./url-check.ts";

/** `stale`: not sent, because what it was signed with grew old. */
type Posted = Answered | { kind: "stale" };

export type Sender = {
  /** The check of the URL itself: every post needs it, and one answer serves many of one moment. */
  check(url: string): UrlCheck;
  /**
   * Headers are names and values in turn. `isFresh` is asked again when the connection is there, right before
   * the bytes leave.
   */
  post(request: {
    target: UrlCheck;
    /** POST by default. */
    method?: string;
    headers: string[];
    body: Buffer;
    isFresh: () => boolean;
    /** 1 KB by default. */
    answerBytesKept?: number;
    /**
     * Whether the service may take as long as services take to create something. It gets a new connection: one that was
     * idle may end before it is known whether the service has read the request.
     */
    isCreation?: boolean;
    /** Over a new connection, because the last one ended before the request was read. */
    isRepeat?: boolean;
  }): Promise<Posted>;
  close(): Promise<void>;
};

const answerBytesKeptDefault = 1_024;
// Reading a bit more keeps the connection for the next delivery; a long answer is cut off.
const answerBytesMax = 65_536;
/** The others of 3xx lead nowhere (RFC 9110, 15.4). */
const redirects = new Set([300, 301, 302, 303, 307, 308]);
// Far more interim responses than real servers send; a flood of them would be read until the deadline.
const interimMax = 100;
// Node's own servers close idle connections after 5 s: we have to be first.
const idleMs = 4_000;
// A creation that is repeated exists twice. Shorter than the 30 s that a stopped process gets.
const creationTimeoutDefaultMs = 25_000;

export function openSender(open: {
  policy: UrlPolicy;
  names: HostNames;
  timeoutMs: number;
  creationTimeoutMs?: number;
  proxy?: OutgoingProxy | null;
}): Sender {
  const { policy, names } = open;
  const creationTimeoutMs = Math.max(
    open.timeoutMs,
    open.creationTimeoutMs ?? creationTimeoutDefaultMs,
  );
  const connections = {
    pipelining: 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    // Both are idle timers, which a dripping answer outlives: the deadline is ours.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  };
  watchExchanges();
  // An Agent of its own also ignores any proxy of the environment.
  const openOwnRoutes = (options: Agent.Options) =>
    openRoutes(open.proxy ?? null, {
      direct: new Agent({ ...options, connect: openConnector(open) }),
      options,
    });
  const routes = openOwnRoutes(connections);
  const newRoutes = openOwnRoutes({ ...connections, pipelining: 0 });

  /** A proxy resolves the name itself, so its address here is a check beforehand: what it connects to is its own. */
  async function findRefusal(host: string): Promise<string | null> {
    if (isIP(host) !== 0 || !routes.isProxied(host)) return null;
    const found = await names.resolve(host);
    return found.kind === "refused" ? found.reason : null;
  }

  return {
    check: (url) => checkWebhookUrl(url, policy),
    async post({ target, method = "POST", headers, body, ...more }) {
      if (target.kind === "refused") return unanswered(target.reason);
      const { origin, pathname, search } = target.url;
      const host = withoutBrackets(target.url.hostname);
      const reason = await findRefusal(host);
      if (reason !== null) return unanswered(reason);
      const path = pathname + search;
      const dispatch = { origin, path, method: method as Dispatcher.HttpMethod, headers, body };
      const { isCreation = false, isRepeat = false, ...reading } = more;
      return new Promise((resolve) => {
        const timeoutMs = isCreation ? creationTimeoutMs : open.timeoutMs;
        const isProxied = target.url.protocol === "http:" && routes.isProxied(host);
        const known = { url: target.url, isProxied, timeoutMs };
        const posting = new Posting({ ...reading, ...known, resolve });
        // Node runs timers before I/O, so after a stall, answers that have already arrived would be late: wait one tick.
        const timer = setTimeout(() => setImmediate(() => posting.endTime()), timeoutMs);
        posting.onSettled = () => clearTimeout(timer);
        const dispatcher = (isCreation || isRepeat ? newRoutes : routes).dispatcherFor(host);
        dispatcher.dispatch(dispatch, posting);
      });
    },
    async close() {
      await Promise.all([routes.destroy(), newRoutes.destroy()]);
    },
  };
}

type PostingOptions = {
  timeoutMs: number;
  resolve: (posted: Posted) => void;
  isFresh: () => boolean;
  answerBytesKept?: number;
  /** Its path can be a secret. */
  url: URL;
  /** Whether a proxy may answer instead of the endpoint. */
  isProxied: boolean;
};

/** One request on its way: settles once, by the answer's end, an error or the deadline. */
class Posting implements Dispatcher.DispatchHandler {
  onSettled: () => void = () => {};
  readonly #options: PostingOptions;
  readonly #deadlineMs: number;
  #isSettled = false;
  #isSent = false;
  /** null until the request is written. */
  #exchange: Exchange | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #status: number | null = null;
  #retryAfter: string | null = null;
  #location: string | null = null;
  #proxyReason: string | null = null;
  #chunks: Buffer[] = [];
  #byteCount = 0;
  #interimCount = 0;

  constructor(options: PostingOptions) {
    this.#options = options;
    this.#deadlineMs = monotonicMs() + options.timeoutMs;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // A process that stood still gets its connection before its timers: both are looked at here.
    if (!this.#isSettled && monotonicMs() >= this.#deadlineMs)
      this.#end(explainTimeout(this.#options.timeoutMs));
    // The deadline passed while the connection was being made: nothing goes out any more.
    if (this.#isSettled) {
      this.#abort();
      return;
    }
    this.#isSent = this.#options.isFresh();
    if (this.#isSent) {
      noteNextExchange((exchange) => {
        this.#exchange = exchange;
      });
      return;
    }
    this.#isSettled = true;
    this.onSettled();
    this.#options.resolve({ kind: "stale" });
    // Thrown, not aborted: the connection stays open for the request that takes this one's place.
    throw new Error("what this request was signed with grew old");
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx announce an answer and are none.
    if (status < 200) {
      this.#interimCount += 1;
      const reason = "the endpoint sent too many interim answers";
      if (this.#interimCount > interimMax) this.#breakOff({ cause: "other", reason });
      return;
    }
    this.#status = status;
    const read = (name: string): string | null => [headers[name]].flat()[0] ?? null;
    this.#retryAfter = readRetryAfter(headers, status);
    this.#location = read("location");
    if (this.#options.isProxied) this.#proxyReason = readProxyReason(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { answerBytesKept = answerBytesKeptDefault } = this.#options;
    const free = answerBytesKept - this.#byteCount;
    // A copy: a slice would keep the whole chunk alive until the outcome is saved.
    if (free > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, free)));
    this.#byteCount += chunk.length;
    if (this.#byteCount > answerBytesMax) this.#breakOff(null);
  }

  onResponseEnd(): void {
    this.#settle(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(explainError(error, this.#options.timeoutMs));
  }

  onRequestUpgrade(): void {
    this.#breakOff({ cause: "other", reason: "the endpoint switched protocols" });
  }

  endTime(): void {
    if (!this.#isSettled) this.#breakOff(explainTimeout(this.#options.timeoutMs));
  }

  #breakOff(failure: FailureReason | null): void {
    this.#settle(failure);
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new Error("this request is over"));
  }

  #settle(failure: FailureReason | null): void {
    if (!this.#isSettled) this.#end(failure ?? silence);
  }

  #end(failure: FailureReason): void {
    this.#isSettled = true;
    this.onSettled();
    this.#options.resolve(this.#judge(failure));
  }

  /** Once there is a status, nothing that happens to the body matters. */
  #judge(failure: FailureReason): Answered {
    const status = this.#status;
    if (status === null) {
      const isTimeout = failure.cause === "timeout";
      const isRepeatable = !isTimeout && this.#exchange !== null && isUnread(this.#exchange);
      return {
        ...unanswered(failure.reason + (isRepeatable ? atOnce : ""), isTimeout),
        isUncertain: this.#isSent,
        isUnread: isRepeatable,
      };
    }
    const isDelivered = status >= 200 && status < 300;
    return {
      kind: "answered",
      status,
      reason: isDelivered ? null : this.#explainStatus(status),
      isTimeout: false,
      retryAfter: this.#retryAfter,
      answer: this.#chunks.length > 0 ? Buffer.concat(this.#chunks) : null,
    };
  }

  #explainStatus(status: number): string {
    if (this.#proxyReason !== null)
      return `OUTGOING_PROXY answers HTTP ${status}: ${this.#proxyReason}`;
    if (!redirects.has(status)) return `HTTP ${status}`;
    const own = this.#options.url;
    const location = this.#location ?? "";
    const isShown = location !== "" && canParseUrl(location, own.href);
    const to = new URL(isShown ? location : own.href, own.href);
    const path = own.pathname.replace(/\/$/, "");
    const shownPath = path === "" ? to.pathname : to.pathname.replace(path, "…");
    const origin = to.origin === own.origin ? "" : to.origin;
    const target = isShown ? `, and this one leads to ${origin}${shownPath}` : "";
    return cleanText(`HTTP ${status}: redirects are not followed${target}`).slice(0, 300);
  }
}

function explainError(error: Error, timeoutMs: number): FailureReason {
  if (error instanceof RefusedError) return { cause: "address", reason: error.message };
  if (error instanceof UnresolvedError) return { cause: "name", reason: error.message };
  const { cause, reason } = explainFailure(error, { who: "the endpoint", timeoutMs });
  return { cause, reason: cause === "other" ? cleanText(`the request failed: ${reason}`) : reason };
}

const atOnce = "; it had been idle, so the delivery is sent again at once over a new one";

const silence: FailureReason = {
  cause: "network",
  reason: "the connection was closed before an answer came",
};

/** A connection that was not even tried. */
class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** A name without addresses. */
class UnresolvedError extends Error {
  override readonly name = "UnresolvedError";
}

function openConnector(open: {
  policy: UrlPolicy;
  names: HostNames;
  timeoutMs: number;
}): buildConnector.connector {
  const connect = buildConnector({ timeout: open.timeoutMs, lookup: openLookup(open.names) });
  return (options, callback) => {
    const host = withoutBrackets(options.hostname);
    // The socket looks names up, but never literal addresses.
    const reason = isIP(host) === 0 ? null : open.policy.addresses.refuse(host);
    if (reason !== null) return callback(new RefusedError(reason), null);
    connect(options, callback);
  };
}

function openLookup(names: HostNames): LookupFunction {
  return (name, options, callback) => {
    names.resolve(name).then(
      (found) => {
        if (found.kind === "refused") return callback(new RefusedError(found.reason), "");
        if (found.kind === "failed") return callback(new UnresolvedError(found.reason), "");
        const addresses = found.addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = addresses;
        if (options.all || !first) return callback(null, addresses);
        return callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}
