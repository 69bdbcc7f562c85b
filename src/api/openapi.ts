// The API as an OpenAPI 3.1 document, made from the schemas that the API itself uses: parameters, responses,
// every error status, and the webhook bodies.
import { z } from "zod";
import { appsEndpoint } from "./apps/endpoint.ts";
import { changesEndpoint } from "./changes/endpoint.ts";
import { type Components, createComponents } from "./components.ts";
import { coverageEndpoint } from "./coverage/endpoint.ts";
import { describeParameters } from "./describe-parameters.ts";
import type { Description, Method, Operation } from "./description.ts";
import { editsEndpoint } from "./edits/endpoint.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { examples } from "./examples.ts";
import { about, webhookAbout } from "./intro-text.ts";
import { describeManageRoute } from "./manage/describe.ts";
import { manageRoutes } from "./manage/routes.ts";
import { ratingHistoryEndpoint } from "./rating-history/endpoint.ts";
import { ratingsEndpoint } from "./ratings/endpoint.ts";
import { releasesEndpoint } from "./releases/endpoint.ts";
import { reviewEndpoint } from "./review/endpoint.ts";
import { reviewsEndpoint } from "./reviews/endpoint.ts";
import { exportEndpoint } from "./reviews/export.ts";
import { type Describing, header, registerSharedResponses } from "./shared-responses.ts";
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

export function describeApi(service: { serverUrl: string; version: string }): Description {
  const { serverUrl, version } = service;
  const components = createComponents();
  const shared = registerSharedResponses(components);
  const paths: Record<string, Partial<Record<Method, Operation>>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { get: describeEndpoint(endpoint, { components, shared }) };
  }
  for (const route of manageRoutes) {
    const operation = describeManageRoute(route, { components, shared });
    paths[route.path] = { ...paths[route.path], [route.method]: operation };
  }
  const described = webhooks.map((webhook) => [
    webhook.event,
    { post: describeWebhook(webhook, components) },
  ]);
  const { schemas, headers, responses } = components;
  const securitySchemes = {
    apiKey: {
      type: "http",
      scheme: "bearer",
      description: "An API key of one workspace, from the API keys page.",
    },
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Starpost API",
      version,
      description: about,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      contact: { name: "Starpost", url: "https://github.com/starpost/starpost/issues" },
    },
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    components: { schemas, headers, responses, securitySchemes },
    paths,
    webhooks: Object.fromEntries(described),
  };
}

const tags = {
  Apps: "What the workspace follows, and how it is read.",
  Reviews: "Single reviews, and the topics that they can have.",
  Figures: "Ratings, trends, releases, and what changed.",
  "Set-up": "Settings of the workspace, for keys with the scope `manage`.",
  Webhooks: "What the service sends to channels.",
} as const satisfies Record<string, string>;

function describeEndpoint(endpoint: AnyEndpoint, { components, shared }: Describing): Operation {
  const { path, id, tag, summary, description, parameters, streamTypes } = endpoint;
  const own = Object.entries(endpoint.responseHeaders ?? {}).map(([name, text]) => [
    name,
    header(text),
  ]);
  const headers = {
    ...shared.headers,
    ...(streamTypes ? {} : shared.etag),
    ...Object.fromEntries(own),
  };
  const json = { schema: components.describe(endpoint.responseSchema), example: examples[id] };
  const contents = (streamTypes ?? ["application/json"]).map((type) => [
    type,
    type === "text/csv" ? { schema: { type: "string" } } : json,
  ]);
  const notModified = "Nothing changed since the response with that `ETag`.";
  return {
    tags: [tag],
    operationId: id,
    summary,
    description,
    parameters: [
      ...describeParameters(parameters, { components, path, place: "query" }),
      ...(streamTypes ? [] : describeParameters(revalidation, { components, place: "header" })),
    ],
    responses: {
      200: {
        description: "The requested data.",
        headers,
        content: Object.fromEntries(contents),
      },
      ...(!streamTypes && { 304: { description: notModified, headers } }),
      ...shared.problems(endpoint.problems),
    },
  };
}

const revalidation = z.object({
  "If-None-Match": z.string().optional().describe("The `ETag` of an earlier response."),
});

function describeWebhook(webhook: (typeof webhooks)[number], components: Components): Operation {
  const { event, summary, body } = webhook;
  const sent = z.object({
    "X-Service-Event": z.literal(event),
    "X-Service-Signature": z
      .string()
      .describe("`sha256=` and the hexadecimal HMAC-SHA256 of the raw body."),
    "X-Service-Delivery": z
      .string()
      .describe("Identifies the delivery; the same when it is sent again."),
  });
  const json = { schema: components.describe(body), example: examples[event] };
  return {
    tags: ["Webhooks"],
    operationId: event,
    summary,
    description: webhookAbout,
    security: [],
    parameters: describeParameters(sent, { components, place: "header" }),
    requestBody: { required: true, content: { "application/json": json } },
    responses: {
      "2XX": { description: "Delivered." },
      410: { description: "Retired for good: the channel is deleted." },
      default: { description: "Tried again later." },
    },
  };
}
