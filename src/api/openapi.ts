// The API as an OpenAPI 3.1 document, made from the schemas that the API itself uses: parameters, responses,
// every error status, and the webhook bodies.

import fs from "node:fs";
import { z } from "zod";
import {
  alertBody,
  channelFailingBody,
  ratingDropBody,
  reviewCreatedBody,
  reviewUpdatedBody,
} from "../domain/channel/event.ts";
import { topicNames } from "../domain/review/topics.ts";
import { keyLimit } from "../http/rate-limit.ts";
import { type Components, createComponents } from "./components.ts";
import { describeParameters } from "./describe-parameters.ts";
import type { Description, Method, Operation } from "./description.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import parts from "./examples.json" with { type: "json" };
import { describeManageRoute } from "./manage/describe.ts";
import { manageRoutes } from "./manage/routes.ts";
import { pageSizeDefault, pageSizeMax } from "./parameters.ts";
import { type Describing, header, registerSharedResponses } from "./shared-responses.ts";

export function describeApi(service: { serverUrl: string; version: string }): Description {
  const { serverUrl, version } = service;
  const components = createComponents();
  const shared = registerSharedResponses(components);
  const paths: Record<string, Partial<Record<Method, Operation>>> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { get: describeEndpoint(endpoint, { components, shared }) };
  }
  for (const route of manageRoutes()) {
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
  "Set-up":
    "Settings of the workspace and the work on its reviews, for keys with the scope `manage`.",
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
      ...describeParameters(parameters, { components, path, location: "query" }),
      ...(streamTypes ? [] : describeParameters(revalidation, { components, location: "header" })),
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
    parameters: describeParameters(sent, { components, location: "header" }),
    requestBody: { required: true, content: { "application/json": json } },
    responses: {
      "2XX": { description: "Delivered." },
      410: { description: "Retired for good: the channel is deleted." },
      default: { description: "Tried again later." },
    },
  };
}

const values: Readonly<Record<string, string | number>> = {
  requestsPerMinute: keyLimit.perMinute,
  pageSizeDefault,
  pageSizeMax,
  topics: topicNames.map((name) => `\`${name}\``).join(", "),
};

const about = read("intro.md").replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name]));
const webhookAbout = read("webhooks.md");

function read(name: string): string {
  return fs.readFileSync(new URL(name, import.meta.url), "utf8").trim();
}

const { app, review, details, versions, nextCursor, ...rest } = parts;
const { source, eventReview, change, ratingDrop, ...others } = rest;
const editedReview = { ...eventReview, rating: change.newScore };

export const examples: Readonly<Record<string, object>> = {
  ...others,
  listApps: { apps: [app] },
  listReviews: { reviews: [review], nextCursor },
  exportReviews: { ...review, storeId: "10486531442", cursor: nextCursor },
  getReview: { ...review, ...details, versions },
  listEdits: { review, edits: versions },
  listTopics: { topics: [...topicNames].sort() },
  "review.created": { event: "review.created", ...source, review: eventReview },
  "review.updated": { event: "review.updated", ...source, review: editedReview, change },
  "review.rating_drop": { event: "review.rating_drop", ...source, ratingDrop },
};

/** Every event, in the order of the contract; behind them the alerts, of which `reviews.spike` stands for three. */
export const webhooks = [
  {
    event: "review.created",
    summary: "A new review matches the channel's filters",
    body: reviewCreatedBody,
  },
  {
    event: "review.updated",
    summary: "A review already delivered to this channel changed its rating or text",
    body: reviewUpdatedBody,
  },
  {
    event: "review.rating_drop",
    summary: "The app's overall rating fell past the channel's threshold",
    body: ratingDropBody,
  },
  {
    event: "reviews.spike",
    summary: "Complaints about a topic, or negative reviews, rose; only for channels that chose it",
    body: alertBody,
  },
  {
    event: "channel.failing",
    summary: "Another channel has failed for ten minutes; only for channels that chose it",
    body: channelFailingBody,
  },
] as const;
