// The failures of a call: the service answered with a problem (RFC 9457), or it could not be
// reached. Both are typed, so that a caller can distinguish them without reading messages.

/** Codes of the service's problems; later versions may add some. */
export type ErrorCode =
  | "invalid_parameter"
  | "invalid_cursor"
  | "malformed_request"
  | "unauthorized"
  | "plan_required"
  | "scope_required"
  | "conflict"
  | "precondition_failed"
  | "too_large"
  | "idempotency_key_reused"
  | "app_not_found"
  | "no_ratings_yet"
  | "no_histogram_yet"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "head_too_large"
  | "rate_limited"
  | "internal"
  | "unavailable";

/** The service answered, and its answer is a failure. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** `unknown` when the answer was not a problem document, for example from a proxy. */
  readonly code: ErrorCode | (string & {});
  /** Faults by parameter, for `invalid_parameter`. */
  readonly errors: readonly { parameter: string; message: string }[];
  /** Name this in a question to the operator: the service's log has it. */
  readonly requestId: string | null;
  /** Whole seconds until another try makes sense, where the service says so. */
  readonly retryAfterSeconds: number | null;

  constructor(problem: {
    status: number;
    code: string;
    message: string;
    errors?: readonly { parameter: string; message: string }[];
    requestId: string | null;
    retryAfterSeconds: number | null;
  }) {
    super(problem.message);
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId;
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }
}

/** The service could not be reached, or did not answer in time. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** Reads a failed response; never throws. */
export async function readProblem(response: Response): Promise<ApiError> {
  const body = await readJson(response);
  const { code, detail, title, errors, requestId } = body;
  return new ApiError({
    status: response.status,
    code: typeof code === "string" ? code : "unknown",
    message: [detail, title].find((text) => typeof text === "string") ?? `HTTP ${response.status}`,
    ...(Array.isArray(errors) && { errors }),
    requestId: typeof requestId === "string" ? requestId : response.headers.get("x-request-id"),
    retryAfterSeconds: parseRetryAfter(response.headers.get("retry-after")),
  });
}

type ProblemBody = {
  code?: unknown;
  detail?: string;
  title?: string;
  errors?: { parameter: string; message: string }[];
  requestId?: unknown;
};

async function readJson(response: Response): Promise<ProblemBody> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    // A proxy's HTML page, or a body that broke off: the status says enough.
    return {};
  }
}

function parseRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;
}
