// The HTTP client for the stores and other services, over undici. However the other side behaves (hang, drip, break
// off, send too much, redirect elsewhere), the caller gets a value within the total timeout.
import { PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Agent, type Dispatcher, request as send } from "undici";
import { explainFailure, explainTimeout } from "./failure-causes.ts";
import type { Http, HttpFailure, HttpRequest, HttpResult } from "./http.ts";
import { watchExchanges } from "./http-exchange.ts";
import { type OutgoingProxy, openRoutes } from "./outgoing-proxy.ts";
import { readProxyReason } from "./proxy-answer.ts";
import { secondMs } from "./timestamp.ts";
import { canParseUrl } from "./urls.ts";
import { version } from "./version.ts";

export type HttpClientOptions = {
  userAgent?: string;
  connectTimeoutMs?: number;
  /** From the call to the last byte of the body, redirects and waiting for a connection included. */
  totalTimeoutMs?: number;
  /** After decompression. */
  bodyBytesMax?: number;
  redirectsMax?: number;
  /** Hosts (with port where it isn't the usual one) to follow to, besides the one of the request. */
  redirectHosts?: readonly string[];
  /** 1 by default: each store sees one connection. */
  connectionsPerHost?: number;
  /** null: each host is reached itself. */
  proxy?: OutgoingProxy | null;
};

// No proxy reaches a translator or provider that runs beside the service.
const thisMachine = ["localhost", ".localhost", "127.0.0.1", "[::1]"];

export type HttpClient = { http: Http; close(): Promise<void> };

export function openHttpClient(options: HttpClientOptions = {}): HttpClient {
  const { connectTimeoutMs = 10 * secondMs, proxy = null } = options;
  watchExchanges();
  const agentOptions = {
    connections: options.connectionsPerHost ?? 1,
    connect: { timeout: connectTimeoutMs },
  };
  const limits: Limits = {
    userAgent: options.userAgent ?? `Starpost/${version}`,
    totalTimeoutMs: options.totalTimeoutMs ?? 30 * secondMs,
    bodyBytesMax: options.bodyBytesMax ?? 8 * 1024 * 1024,
    redirectsMax: options.redirectsMax ?? 3,
    redirectHosts: options.redirectHosts ?? [],
    connectTimeoutMs,
    routes: openRoutes(proxy && { ...proxy, except: [...proxy.except, ...thisMachine] }, {
      direct: new Agent(agentOptions),
      options: agentOptions,
    }),
  };
  return {
    http: (request) => fetchFollowing(limits, request),
    close: () => limits.routes.destroy(),
  };
}

type Limits = Required<Omit<HttpClientOptions, "connectionsPerHost" | "proxy">> & {
  routes: ReturnType<typeof openRoutes>;
};

async function fetchFollowing(limits: Limits, first: HttpRequest): Promise<HttpResult> {
  const signal = AbortSignal.timeout(limits.totalTimeoutMs);
  let request = first;
  for (let hops = 0; ; hops += 1) {
    const step = await fetchOnce(limits, { request, signal });
    if (step.kind !== "moved") return step;
    const failure = findRedirectFailure(limits, { from: first.url, to: step.location, hops });
    if (failure) return failure;
    request = toFollowUp(request, step);
  }
}

type Moved = { kind: "moved"; status: number; location: URL };

async function fetchOnce(
  limits: Limits,
  { request, signal }: { request: HttpRequest; signal: AbortSignal },
): Promise<HttpResult | Moved> {
  const fail = (reason: HttpFailure, error: unknown): HttpResult => {
    const circumstances = { who: "the server", timeoutMs: limits.connectTimeoutMs };
    const { cause, reason: detail } = signal.aborted
      ? explainTimeout(limits.totalTimeoutMs)
      : explainFailure(error, circumstances);
    return { kind: "failed", reason: cause === "timeout" ? "timeout" : reason, detail };
  };
  if (!canParseUrl(request.url)) return fail("network", new Error("invalid URL"));
  const { hostname, protocol } = new URL(request.url);
  const isProxied = protocol === "http:" && limits.routes.isProxied(hostname);
  let response: Dispatcher.ResponseData;
  try {
    const sent = send(request.url, {
      method: request.method,
      headers: {
        "user-agent": limits.userAgent,
        "accept-encoding": "gzip, br",
        ...request.headers,
      },
      body: request.body ?? null,
      dispatcher: limits.routes.dispatcherFor(hostname),
      signal,
    });
    // undici looks at the signal only once there is a connection.
    response = await Promise.race([sent, whenAborted(signal)]);
  } catch (error) {
    return fail("network", error);
  }
  const { statusCode: status, body } = response;
  const headers = plainHeaders(response.headers);
  const refusal = isProxied ? readProxyReason(headers) : null;
  if (refusal !== null) {
    body.on("error", () => {}).destroy();
    const detail = `OUTGOING_PROXY answers HTTP ${status}: ${refusal}`;
    return { kind: "failed", reason: "network", detail };
  }
  const location = redirectTarget({ status, location: headers["location"], base: request.url });
  if (location) {
    // An unread body would block the connection.
    body.on("error", () => {}).destroy();
    return { kind: "moved", status, location };
  }
  const bodyBytesMax = request.bodyBytesMax ?? limits.bodyBytesMax;
  const encoding = headers["content-encoding"];
  const consume = status === 200 ? request.readBody : undefined;
  const read = await readBody({ body, encoding, bodyBytesMax, consume, fail });
  if ("kind" in read) return read;
  return { kind: "response", status, headers, body: read.bytes, url: request.url };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

async function readBody(reading: {
  body: Readable;
  encoding: string | undefined;
  bodyBytesMax: number;
  consume: HttpRequest["readBody"];
  fail: (reason: HttpFailure, error: unknown) => HttpResult;
}): Promise<{ bytes: Buffer } | HttpResult> {
  const { body, encoding, bodyBytesMax } = reading;
  const chunks: Buffer[] = [];
  let size = 0;
  let isConsumed = false;
  async function* limit(plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of plain) {
      size += chunk.length;
      if (size > bodyBytesMax) throw new RangeError(`more than ${bodyBytesMax} bytes`);
      yield chunk;
    }
  }
  try {
    await pipeline(body, decompressor(encoding), async (plain: AsyncIterable<Buffer>) => {
      await reading.consume?.(limit(plain));
      isConsumed = reading.consume !== undefined;
      if (!isConsumed) for await (const chunk of limit(plain)) chunks.push(chunk);
    });
  } catch (error) {
    // A consumer that has seen enough breaks the connection off.
    if (isConsumed) return { bytes: Buffer.alloc(0) };
    return reading.fail(size > bodyBytesMax ? "too_large" : "truncated", error);
  }
  return { bytes: Buffer.concat(chunks) };
}

function decompressor(encoding: string | undefined): PassThrough | ReturnType<typeof createGunzip> {
  switch (encoding?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      return createInflate();
    default:
      return new PassThrough();
  }
}

function redirectTarget(response: {
  status: number;
  location: string | undefined;
  base: string;
}): URL | null {
  if (![301, 302, 303, 307, 308].includes(response.status) || response.location === undefined)
    return null;
  const { location, base } = response;
  return canParseUrl(location, base) ? new URL(location, base) : null;
}

function findRedirectFailure(
  { redirectHosts, redirectsMax }: Limits,
  { from, to, hops }: { from: string; to: URL; hops: number },
): HttpResult | null {
  const source = new URL(from);
  const isAllowed = to.host === source.host || redirectHosts.includes(to.host);
  const isDowngrade = source.protocol === "https:" && to.protocol !== "https:";
  if (!isAllowed || isDowngrade || !/^https?:$/.test(to.protocol)) {
    const target = isAllowed ? "an address without TLS" : "another host";
    const detail = `redirected the request to ${target} (${to.host})`;
    return { kind: "failed", reason: "redirected", detail };
  }
  if (hops < redirectsMax) return null;
  const detail = `redirected the request ${hops} times, the last time to ${to.host}`;
  return { kind: "failed", reason: "redirected", detail };
}

/** As browsers do: a redirected POST becomes a GET unless the status forbids it. */
function toFollowUp(request: HttpRequest, { status, location }: Moved): HttpRequest {
  const moved = { ...request, headers: headersFor(request, location), url: location.href };
  if (status === 307 || status === 308) return moved;
  const { body: _, ...rest } = moved;
  return { ...rest, method: "GET" };
}

/** Credentials are for the requested host and for no other. */
function headersFor({ headers = {}, url }: HttpRequest, to: URL): Record<string, string> {
  if (new URL(url).host === to.host) return headers;
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$/i.test(name)),
  );
}

function plainHeaders(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    // A cookie may have commas of its own.
    const separator = name === "set-cookie" ? "\n" : ", ";
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(separator) : value;
  }
  return plain;
}
