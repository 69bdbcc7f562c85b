// Requests to the API: waits when the service says that the rate limit is used up or that it is away for a moment, and tries again.
import { ConnectionError, readProblem } from "./errors.ts";

export type ClientOptions = {
  /** Where Starpost runs, with or without `/api/v1`: `https://reviews.example.com`. */
  baseUrl: string;
  /** A workspace's key, `sp_…`. It belongs on servers, not in public pages. */
  apiKey: string;
  /** Another `fetch`, for example with a proxy or for tests. */
  fetch?: typeof fetch;
  /** How often a call is tried again after 429, 503 or a broken connection; default 3, 0 for never. */
  retriesMax?: number;
  /** Longest wait before another try, in milliseconds; default 65,000 (a whole rate window). */
  waitMaxMs?: number;
  /** Longest time for one try, in milliseconds; default 30,000. */
  timeoutMs?: number;
};

export type CallOptions = { signal?: AbortSignal };

export type WriteOptions = CallOptions & {
  /** Everything is checked, and nothing is done. */
  dryRun?: boolean;
  /** By default a new one, so that a call that is tried again is carried out once. */
  idempotencyKey?: string;
  /** The `etag` of what was read: the call throws `precondition_failed` when it was changed since. */
  ifMatch?: string;
};

type Method = "POST" | "PATCH" | "DELETE";

export async function write<Body>(
  options: ClientOptions,
  method: Method,
  path: string,
  call: WriteOptions & { body?: object } = {},
): Promise<Body> {
  return (await sendWrite<Body>(options, method, path, call)).body;
}

export function sendWrite<Body>(
  options: ClientOptions,
  method: Method,
  path: string,
  call: WriteOptions & { body?: object; query?: Params },
): Promise<Answer<Body>> {
  const headers: Record<string, string> = {
    "idempotency-key": call.idempotencyKey ?? uniqueName(),
  };
  if (call.ifMatch !== undefined) headers["if-match"] = call.ifMatch;
  const read = async (response: Response): Promise<Body> =>
    (response.status === 204 ? null : await response.json()) as Body;
  const send = createSend(options, read, { method, headers, body: call.body });
  return send(path, { ...call.query, dryRun: call.dryRun }, call);
}

/** Unique and not secret: Node 18 has no global `crypto`. */
function uniqueName(): string {
  const parts = Array.from({ length: 4 }, () => Math.random().toString(36).slice(2));
  return [Date.now().toString(36), ...parts].join("");
}

export type Params = Record<
  string,
  string | number | boolean | readonly (string | number)[] | undefined
>;
export type Get = <Body>(path: string, params: Params, call?: CallOptions) => Promise<Body>;
export type Answer<Body> = { body: Body; headers: Headers };
type Read<Body> = (response: Response) => Promise<Body>;
type Send<Body> = (path: string, params: Params, call?: CallOptions) => Promise<Answer<Body>>;

type Written = { method: Method; headers: Record<string, string>; body: object | undefined };

export function createSend<Body>(
  options: ClientOptions,
  read: Read<Body>,
  written?: Written,
): Send<Body> {
  const base = apiBase(options.baseUrl);
  if (!options.apiKey) throw new TypeError("apiKey is missing");
  const { retriesMax = 3, waitMaxMs = 65_000, timeoutMs = 30_000 } = options;
  const send = options.fetch ?? globalThis.fetch;
  const { method = "GET", body } = written ?? {};
  const headers = {
    ...{ authorization: `Bearer ${options.apiKey}`, accept: "application/json" },
    ...written?.headers,
    ...(body && { "content-type": "application/json" }),
  };

  return async (path, params, call = {}) => {
    const url = `${base}/${path}${queryText(params)}`;
    for (let tryCount = 1; ; tryCount++) {
      const mayRetry = tryCount <= retriesMax;
      const attempt = { method, url, headers, body, timeoutMs, signal: call.signal };
      const outcome = await tryOnce(send, attempt, read);
      if ("body" in outcome) return outcome;
      const waitMs = outcome.waitMs ?? 500 * 2 ** (tryCount - 1);
      if (!mayRetry || !outcome.isPassing || waitMs > waitMaxMs) throw outcome.error;
      await delay(waitMs, call.signal);
    }
  };
}

type Outcome<Body> =
  | Answer<Body>
  /** `isPassing`: another try may succeed; `waitMs`: the service said when. */
  | { error: Error; isPassing: boolean; waitMs?: number };

type Attempt = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: object | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

async function tryOnce<Body>(
  send: typeof fetch,
  { method, url, headers, body, timeoutMs, signal }: Attempt,
  read: Read<Body>,
): Promise<Outcome<Body>> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(
    () => controller.abort(new Error(`no answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    const request = { method, headers, signal: controller.signal };
    const response = await send(url, body ? { ...request, body: JSON.stringify(body) } : request);
    if (response.ok) {
      return { body: await read(response), headers: response.headers };
    }
    const error = await readProblem(response);
    const isPassing = [429, 502, 503, 504].includes(response.status);
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds === null) return { error, isPassing };
    return { error, isPassing, waitMs: retryAfterSeconds * 1_000 };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    return { error: new ConnectionError(`${method} ${url} failed`, { cause }), isPassing: true };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function apiBase(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError("baseUrl must begin with https:// or http://");
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path.endsWith("/api/v1") ? path : `${path}/api/v1`}`;
}

function queryText(params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function delay(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, durationMs);
    signal?.addEventListener("abort", cancel, { once: true });
    function finish(): void {
      signal?.removeEventListener("abort", cancel);
      resolve();
    }
    function cancel(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
