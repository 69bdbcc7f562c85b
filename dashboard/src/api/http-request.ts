// Asks the service for JSON. Whatever goes wrong becomes a RequestError that says so in plain words.
import type { Problem } from "../../../src/dashboard-api/contract/route.ts";
import { capitalised } from "../format/names.ts";

type Query = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;

type Ask = {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
};

export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with which field of the request. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(told: {
    status: number;
    code: string;
    detail: string;
    fields?: Record<string, string>;
  }) {
    super(capitalised(told.detail));
    this.name = "RequestError";
    this.status = told.status;
    this.code = told.code;
    this.fields = told.fields ?? {};
  }
}

/** The type parameter is the contract's word for what the address answers; it is not checked again. */
export async function request<Answer>(path: string, ask: Ask = {}): Promise<Answer> {
  const response = await send(path, ask);
  if (!response.ok) throw await readProblem(response);
  if (response.status === 204) return {} as Answer;
  return (await response.json()) as Answer;
}

export function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === "" || value === false) continue;
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) search.append(name, String(one));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

export function describeError(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  return "Something went wrong on this page. Reload it; if that does not help, look at the service's log.";
}

/** The messages that belong to fields of a form, by field. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return error instanceof RequestError ? error.fields : {};
}

async function send(path: string, ask: Ask): Promise<Response> {
  const { method = "GET", query, body, signal } = ask;
  try {
    return await fetch(withQuery(path, query), {
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
    throw new RequestError({
      status: 0,
      code: "unreachable",
      detail: "The service can't be reached. Check that it runs and try again.",
    });
  }
}

async function readProblem(response: Response): Promise<RequestError> {
  const problem = await readJson(response);
  return new RequestError({
    status: response.status,
    code: problem.code ?? "unknown",
    detail: problem.detail ?? problem.title ?? describeStatus(response.status),
    fields: Object.fromEntries(
      (problem.fields ?? []).map(({ field, message }) => [field, capitalised(message)]),
    ),
  });
}

async function readJson(response: Response): Promise<Partial<Problem>> {
  try {
    return (await response.json()) as Partial<Problem>;
  } catch {
    // A proxy in between answers with its own page: the status alone has to say it.
    return {};
  }
}

function describeStatus(status: number): string {
  if (status === 404) return "This does not exist, or it belongs to another workspace.";
  if (status === 403) return "You may not do this in this workspace.";
  if (status === 429) return "Too many tries. Wait a minute and try again.";
  if (status >= 500) return "The service can't answer right now. Try again in a moment.";
  return `The service refused this (status ${status}).`;
}
