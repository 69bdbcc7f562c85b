// The API as an OpenAPI 3.1 document, made from the schemas that the API itself uses: parameters, responses,
// every error status, and the webhook bodies.
import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { appsEndpoint } from "./apps/endpoint.ts";
import { changesEndpoint } from "./changes/endpoint.ts";
import { coverageEndpoint } from "./coverage/endpoint.ts";
import { about, webhookAbout } from "./docs/intro-text.ts";
import { editsEndpoint } from "./edits/endpoint.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { examples } from "./examples.ts";
import { describeManageRoute } from "./manage/describe.ts";
import { manageRoutes } from "./manage/routes.ts";
import { ratingHistoryEndpoint } from "./rating-history/endpoint.ts";
import { ratingsEndpoint } from "./ratings/endpoint.ts";
import { releasesEndpoint } from "./releases/endpoint.ts";
import { reviewEndpoint } from "./review/endpoint.ts";
import { reviewsEndpoint } from "./reviews/endpoint.ts";
import { exportEndpoint } from "./reviews/export.ts";
import { header, registerSharedResponses, type SharedResponses } from "./shared-responses.ts";
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
  const shared = registerSharedResponses(registry);
  for (const endpoint of endpoints) registry.registerPath(describeEndpoint(endpoint, shared));
  for (const route of manageRoutes) registry.registerPath(describeManageRoute(route, shared));
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

function describeEndpoint(endpoint: AnyEndpoint, shared: SharedResponses): RouteConfig {
  const { path, id, tag, summary, description, parameters, streamTypes } = endpoint;
  const inPath = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true]),
  );
  const own = Object.entries(endpoint.responseHeaders ?? {}).map(([name, text]) => [
    name,
    header(text),
  ]);
  const headers = {
    ...shared.headers,
    ...(streamTypes ? {} : shared.etag),
    ...Object.fromEntries(own),
  };
  const json = { schema: endpoint.responseSchema, example: examples[id] };
  const contents = (streamTypes ?? ["application/json"]).map((type) => [
    type,
    type === "text/csv" ? { schema: z.string() } : json,
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
      ...shared.problems(endpoint.problems),
    },
  };
}

const ifNoneMatch = z.string().optional().describe("The `ETag` of an earlier response.");

function describeWebhook(webhook: (typeof webhooks)[number]): RouteConfig {
  const { event, summary, body: schema } = webhook;
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
          .describe("`sha256=` and the hexadecimal HMAC-SHA256 of the raw body."),
        "X-Service-Delivery": z
          .string()
          .describe("Identifies the delivery; the same when it is sent again."),
      }),
      body: {
        required: true,
        content: { "application/json": { schema, example: examples[event] } },
      },
    },
    responses: {
      "2XX": { description: "Delivered." },
      410: { description: "Retired for good: the channel is deleted." },
      default: { description: "Tried again later." },
    },
  };
}
