// Sends a request to the service and reads its JSON. Every failure becomes a RequestError whose message
// can be shown to the user.
import type { Problem } from "../../../src/dashboard-api/contract/route.ts";
import { capitalised } from "../format/capitalised.ts";

type Query = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;

type RequestOptions = {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
};

type RequestFailure = {
  /** 0: the service was not reached. */
  status: number;
  code: string;
  detail: string;
  fields?: Record<string, string>;
  retryAfterMs?: number | undefined;
};

export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  /** The faults of the request's fields, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor({ status, code, detail, fields = {}, retryAfterMs }: RequestFailure) {
    super(capitalised(detail));
    this.name = "RequestError";
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A failure that may pass by itself: the service was not reached, is overloaded, restarts or has a fault. */
export function isTransient(error: unknown): error is RequestError {
  return (
    error instanceof RequestError &&
    (error.status === 0 || error.status >= 500 || [408, 429].includes(error.status))
  );
}

/**
 * The type parameter is what the contract says of the response; it is not checked again. Reads have a time limit.
 * @throws RequestError for every failure but an aborted request
 */
export async function sendRequest<Body>(url: string, options: RequestOptions): Promise<Body> {
  if (options.method !== "GET" && !options.signal) return send<Body>(url, options);
  return withinLimit(options.signal, async (signal) => {
    const early = options.method === "GET" ? await awaitEarly<Body>(url) : undefined;
    return early ?? send<Body>(url, { ...options, signal });
  });
}

/** Leaves out what is undefined or empty. */
export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "") continue;
    if (Array.isArray(value) && value.length === 0) continue;
    // A list is written with commas.
    search.append(name, String(value));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

export function describeError(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return "Something went wrong on this page. Reload it; if that does not help, look at the service's log.";
}

/** The messages that belong to single fields of a form, by the field's name. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof RequestError ? error.fields : {};
}

/** The body of a successful response, once it has arrived, or a response that refused. */
type EarlyAnswer = {
  arrival: Promise<unknown>;
  body?: unknown;
  refusal?: { response: Response; at: number };
};

declare global {
  interface Window {
    /** The requests that start.js began, by their URL. */
    starpostEarly?: Record<string, EarlyAnswer>;
  }
}

/** The answer to a request that began before this code was loaded, if it has arrived; once. */
export function takeEarly<Body>(url: string): Body | undefined {
  const body = window.starpostEarly?.[url]?.body;
  if (body !== undefined) delete window.starpostEarly?.[url];
  return body as Body | undefined;
}

/** A slow answer doesn't hold up the frame of the page. */
const earlyWaitMs = 150;

/** Waits for the answers that are about to arrive, so that the first rendering has them all. */
export async function waitForEarly(): Promise<void> {
  const answers = Object.values(window.starpostEarly ?? {}).map(({ arrival }) => arrival);
  const timeout = new Promise((resolve) => setTimeout(resolve, earlyWaitMs));
  await Promise.race([Promise.all(answers), timeout]);
}

/** A refusal that is older than this says nothing about the service of now. */
const refusalMaxMs = 1_000;

/** The answer to a request that began before this code was loaded; undefined where there was none. */
async function awaitEarly<Body>(url: string): Promise<Body | undefined> {
  const answer = window.starpostEarly?.[url];
  if (!answer) return undefined;
  await answer.arrival;
  const body = takeEarly<Body>(url);
  const { refusal } = answer;
  if (!refusal || window.starpostEarly?.[url] !== answer) return body;
  delete window.starpostEarly[url];
  if (performance.now() - refusal.at < refusalMaxMs) throw await readProblem(refusal.response);
  return undefined;
}

const readLimitMs = 20_000;

async function withinLimit<T>(
  signal: AbortSignal | undefined,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(unreachable("The service takes too long to answer."));
      controller.abort();
    }, readLimitMs);
  });
  try {
    return await Promise.race([read(controller.signal), limit]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function send<Body>(url: string, options: RequestOptions): Promise<Body> {
  const response = await fetchResponse(url, options);
  if (!response.ok) throw await readProblem(response);
  if (response.status === 204) return {} as Body;
  return (await response.json()) as Body;
}

async function fetchResponse(url: string, options: RequestOptions): Promise<Response> {
  const { method, body, signal } = options;
  try {
    return await fetch(url, {
      method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable("The service can't be reached.");
  }
}

function unreachable(detail: string): RequestError {
  return new RequestError({ status: 0, code: "unreachable", detail });
}

export async function readProblem(response: Response): Promise<RequestError> {
  const problem = await readJson(response);
  return new RequestError({
    status: response.status,
    code: problem.code ?? "unknown",
    retryAfterMs: readRetryAfter(response),
    detail: problem.detail ?? problem.title ?? describeStatus(response.status),
    fields: Object.fromEntries(
      (problem.fields ?? []).map(({ field, message }) => [field, capitalised(message)]),
    ),
  });
}

/** The header has seconds, or a date. */
function readRetryAfter({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

async function readJson(response: Response): Promise<Partial<Problem>> {
  try {
    return (await response.json()) as Partial<Problem>;
  } catch {
    // A proxy answered with a page of its own: only the status is known.
    return {};
  }
}

function describeStatus(status: number): string {
  if (status === 404) return "This does not exist, or it belongs to another workspace.";
  if (status === 403) return "You don't have permission to do this in this workspace.";
  if (status === 429) return "Too many requests. Wait a minute and try again.";
  if (status >= 500) return "The service is not available right now.";
  return `The request was refused (status ${status}).`;
}
