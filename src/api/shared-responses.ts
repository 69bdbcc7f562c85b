// What the responses of many operations have in common, each part once in the OpenAPI document and referred to by name:
// headers, and the problems of each status.
import { z } from "zod";
import { problemType } from "../http/problem.ts";
import type { Components, Reference } from "./components.ts";
import { describeProblem, type ProblemCode } from "./problem.ts";

type References = Record<string, Reference>;

const headers = {
  "RateLimit-Limit": countHeader("Requests that are accepted in any 60 seconds."),
  "RateLimit-Remaining": countHeader("How many more would be accepted right now."),
  "RateLimit-Reset": countHeader("Seconds until one more request is possible."),
  "X-Request-Id": header("Identifies this response."),
  "WWW-Authenticate": header("`Bearer`."),
  Allow: header("The methods of the path."),
  "Retry-After": countHeader("Whole seconds.", 1),
  ETag: header("Tag of exactly these bytes."),
};

// The responses of every operation besides its own problems.
const commonProblems: readonly ProblemCode[] = [
  "malformed_request",
  "request_timeout",
  "head_too_large",
  "unauthorized",
  "plan_required",
  "scope_required",
  "method_not_allowed",
  "rate_limited",
  "internal",
  "unavailable",
];

type SharedResponses = ReturnType<typeof registerSharedResponses>;

/** The parts that descriptions of operations refer to. */
export type Describing = { components: Components; shared: SharedResponses };

export function registerSharedResponses(components: Components) {
  const problem = components.describe(problemSchema);
  for (const [name, description] of Object.entries(headers)) {
    components.add("headers", name, description);
  }
  return {
    /** Headers of every response to a valid key. */
    headers: referTo(["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id"]),
    etag: referTo(["ETag"]),
    /** By status: the operation's own problems and those that every operation has. */
    problems(own: readonly ProblemCode[]): References {
      const byStatus = new Map<number, ProblemCode[]>();
      for (const code of [...own, ...commonProblems]) {
        const { status } = describeProblem(code);
        byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
      }
      const responses = [...byStatus].map(([status, codes]) => {
        const response = describeResponse({ status, codes, schema: problem });
        return [status, components.add("responses", codes.join("."), response)];
      });
      return Object.fromEntries(responses);
    },
  };
}

function describeResponse(response: {
  status: number;
  codes: readonly ProblemCode[];
  schema: object;
}) {
  const { status, codes, schema } = response;
  const examples = codes.map((code) => [code, { value: exampleOf(code) }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${describeProblem(code).meaning}`).join(" "),
    headers: referTo(headersOf(status)),
    content: { [problemType]: { schema, examples: Object.fromEntries(examples) } },
  };
}

/** 401, 500 and 503 carry no rate limit: the key is unknown. */
function headersOf(status: number): (keyof typeof headers)[] {
  const limits = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;
  return [
    "X-Request-Id",
    ...([401, 500, 503].includes(status) ? [] : limits),
    ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
    ...(status === 405 ? (["Allow"] as const) : []),
    ...(status === 429 || status === 503 ? (["Retry-After"] as const) : []),
  ];
}

function referTo(names: readonly (keyof typeof headers)[]): References {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function exampleOf(code: ProblemCode): object {
  const { status, title, meaning } = describeProblem(code);
  const errors = [{ parameter: "rating", message: "must be a whole number from 1 to 5" }];
  return {
    type: `/docs#error-${code}`,
    title,
    status,
    detail: meaning,
    code,
    ...(code === "invalid_parameter" && { errors }),
    ...((status === 429 || status === 503) && { retryAfter: 5 }),
    requestId: "0f3c1c1e-7c55-4c1e-9a36-3f1f8f7d2b10",
  };
}

const problemSchema = z
  .object({
    type: z.string().describe("Where this kind of problem is described."),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().describe("Stable; decide by this one."),
    errors: z
      .array(z.object({ parameter: z.string(), message: z.string() }))
      .optional()
      .describe("Every invalid parameter."),
    retryAfter: z.int().min(1).optional().describe("Seconds; with 429 and 503."),
    requestId: z.string().describe("As in `X-Request-Id`: quote it in support requests."),
  })
  .meta({ id: "Problem" });

export function header(description: string) {
  return { description, schema: { type: "string" as const } };
}

function countHeader(description: string, minimum = 0) {
  return { description, schema: { type: "integer" as const, minimum } };
}
