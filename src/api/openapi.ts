// The API as an OpenAPI 3.1 document, made from the schemas that the API itself uses: parameters, responses,
// every error status, and the webhook bodies.
import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { problemType } from "../http/problem.ts";
import { appsEndpoint } from "./apps/endpoint.ts";
import { changesEndpoint } from "./changes/endpoint.ts";
import { coverageEndpoint } from "./coverage/endpoint.ts";
import { about, webhookAbout } from "./docs/intro-text.ts";
import { editsEndpoint } from "./edits/endpoint.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { describeManageRoute } from "./manage/describe.ts";
import { manageRoutes } from "./manage/routes.ts";
import { describeProblem, type ProblemCode } from "./problem.ts";
import { ratingHistoryEndpoint } from "./rating-history/endpoint.ts";
import { ratingsEndpoint } from "./ratings/endpoint.ts";
import { releasesEndpoint } from "./releases/endpoint.ts";
import { reviewEndpoint } from "./review/endpoint.ts";
import { reviewsEndpoint } from "./reviews/endpoint.ts";
import { exportEndpoint } from "./reviews/export.ts";
import { topicsEndpoint } from "./topics/endpoint.ts";
import { trendsEndpoint } from "./trends/endpoint.ts";
import { verdictEndpoint } from "./verdict/endpoint.ts";
import { webhooks } from "./webhook-contract.ts";

/** In the order of the document. */
export const endpoints: readonly AnyEndpoint[] = [
  appsEndpoint,
  reviewsEndpoint,
  ratingsEndpoint,
  trendsEndpoint,
  topicsEndpoint,
  editsEndpoint,
  // Before the path that has a review's id in its place.
  exportEndpoint,
  reviewEndpoint,
  ratingHistoryEndpoint,
  releasesEndpoint,
  changesEndpoint,
  coverageEndpoint,
  verdictEndpoint,
];

export type ApiDescription = ReturnType<OpenAPIHono["getOpenAPI31Document"]>;

export function describeApi(service: { serverUrl: string; version: string }): ApiDescription {
  const { serverUrl, version } = service;
  // Only its registry is used: the app itself is built in api.ts.
  const registrar = new OpenAPIHono();
  const { openAPIRegistry: registry } = registrar;
  registry.registerComponent("securitySchemes", "apiKey", {
    type: "http",
    scheme: "bearer",
    description: "An API key of one workspace, from the API keys page.",
  });
  for (const endpoint of endpoints) registry.registerPath(describeEndpoint(endpoint));
  for (const route of manageRoutes) {
    const shared = { problems: describeAllProblems, headers: requestHeaders };
    registry.registerPath(describeManageRoute(route, shared));
  }
  for (const webhook of webhooks) registry.registerWebhook(describeWebhook(webhook));
  return registrar.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Starpost API",
      version,
      description: about,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
  });
}

const tags = {
  Apps: "What the workspace follows, and how it is read.",
  Reviews: "Single reviews, and the topics that they can have.",
  Figures: "Ratings, trends, releases, and what changed.",
  "Set-up": "Settings of the workspace, for keys with the scope `manage`.",
  Webhooks: "What the service sends to channels.",
} as const satisfies Record<string, string>;

const problemSchema = z
  .object({
    type: z.string().openapi({ description: "Where this kind of problem is described." }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().openapi({ description: "Stable; decide by this one." }),
    errors: z
      .array(z.object({ parameter: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: "Every invalid parameter." }),
    retryAfter: z.int().min(1).optional().openapi({ description: "Seconds; with 429 and 503." }),
    requestId: z
      .string()
      .openapi({ description: "As in `X-Request-Id`: quote it in support requests." }),
  })
  .openapi("Problem");

// The responses of every endpoint besides its own problems.
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

function describeEndpoint(endpoint: AnyEndpoint): RouteConfig {
  const { path, id, tag, summary, description, parameters, example } = endpoint;
  const inPath = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true]),
  );
  const { responseSchema: body, responseHeaders = {}, streamTypes } = endpoint;
  const own = Object.entries(responseHeaders).map(([name, text]) => [name, header(text)]);
  const tagged = streamTypes ? {} : { ETag: etag };
  const headers = { ...requestHeaders, ...tagged, ...Object.fromEntries(own) };
  const contents = (streamTypes ?? ["application/json"]).map((type) => [
    type,
    type === "text/csv" ? { schema: z.string() } : { schema: body, example },
  ]);
  return {
    method: "get",
    path,
    tags: [tag],
    operationId: id,
    summary,
    description,
    request: {
      params: parameters.pick(inPath),
      query: parameters.omit(inPath),
      ...(!streamTypes && { headers: [z.object({ "If-None-Match": ifNoneMatch })] }),
    },
    responses: {
      200: {
        description: "The requested data.",
        headers,
        content: Object.fromEntries(contents),
      },
      ...(!streamTypes && {
        304: { description: "Nothing changed since the response with that `ETag`.", headers },
      }),
      ...describeAllProblems(endpoint.problems),
    },
  };
}

function describeAllProblems(own: readonly ProblemCode[]): RouteConfig["responses"] {
  return describeProblems([...own, ...commonProblems]);
}

function describeProblems(codes: readonly ProblemCode[]): RouteConfig["responses"] {
  const statuses = [...new Set(codes.map((code) => describeProblem(code).status))].sort(
    (a, b) => a - b,
  );
  return Object.fromEntries(
    statuses.map((status) => {
      const same = codes.filter((code) => describeProblem(code).status === status);
      const response = {
        description: same.map((code) => `\`${code}\`: ${describeProblem(code).meaning}`).join(" "),
        headers: headersOf(status),
        content: {
          [problemType]: {
            schema: problemSchema,
            examples: Object.fromEntries(same.map((code) => [code, { value: exampleOf(code) }])),
          },
        },
      };
      return [status, response];
    }),
  );
}

type Header = ReturnType<typeof header> | ReturnType<typeof countHeader>;

/** 401, 500 and 503 carry no rate limit: the key is unknown. */
function headersOf(status: number): Record<string, Header> {
  const { "X-Request-Id": requestId, ...limits } = requestHeaders;
  return {
    "X-Request-Id": requestId,
    ...([401, 500, 503].includes(status) ? {} : limits),
    ...(status === 401 ? { "WWW-Authenticate": header("`Bearer`.") } : {}),
    ...(status === 405 ? { Allow: header("The methods of the path.") } : {}),
    ...(status === 429 || status === 503
      ? { "Retry-After": countHeader("Whole seconds.", 1) }
      : {}),
  };
}

function exampleOf(code: ProblemCode): object {
  const { status, title, meaning } = describeProblem(code);
  return {
    type: `/docs#error-${code}`,
    title,
    status,
    detail: meaning,
    code,
    ...(code === "invalid_parameter"
      ? { errors: [{ parameter: "rating", message: "must be a whole number from 1 to 5" }] }
      : {}),
    ...(status === 429 || status === 503 ? { retryAfter: 5 } : {}),
    requestId: "0f3c1c1e-7c55-4c1e-9a36-3f1f8f7d2b10",
  };
}

function header(description: string) {
  return { description, schema: { type: "string" as const } };
}

function countHeader(description: string, minimum = 0) {
  return { description, schema: { type: "integer" as const, minimum } };
}

const ifNoneMatch = z
  .string()
  .optional()
  .openapi({ description: "The `ETag` of an earlier response." });

const etag = header("Tag of exactly these bytes.");

const requestHeaders = {
  "RateLimit-Limit": countHeader("Requests that are accepted in any 60 seconds."),
  "RateLimit-Remaining": countHeader("How many more would be accepted right now."),
  "RateLimit-Reset": countHeader("Seconds until one more request is possible."),
  "X-Request-Id": header("Identifies this response."),
};

function describeWebhook(webhook: (typeof webhooks)[number]): RouteConfig {
  const { event, summary, body, example } = webhook;
  return {
    method: "post",
    path: event,
    tags: ["Webhooks"],
    operationId: event,
    summary,
    description: webhookAbout,
    security: [],
    request: {
      headers: z.object({
        "X-Service-Event": z.literal(event),
        "X-Service-Signature": z
          .string()
          .openapi({ description: "`sha256=` and the hexadecimal HMAC-SHA256 of the raw body." }),
        "X-Service-Delivery": z
          .string()
          .openapi({ description: "Identifies the delivery; the same when it is sent again." }),
      }),
      body: { required: true, content: { "application/json": { schema: body, example } } },
    },
    responses: {
      "2XX": { description: "Delivered." },
      410: { description: "Retired for good: the channel is deleted." },
      default: { description: "Tried again later." },
    },
  };
}
