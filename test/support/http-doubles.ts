// The services of HTTP presets on loopback: each checks method, path, headers and body as its documentation describes them,
// and answers in its words.
import { z } from "zod";
import type { Received, Reply } from "./receiver.ts";

type Double = {
  /** The first request, and the request that updates. */
  create: { path: string; body: z.ZodType };
  update: { method: string; path: string; body: z.ZodType } | null;
  /** A header by which the service knows the sender; null where the URL or body has the secret. */
  authorization: { name: string; value: string } | null;
  accepted: Reply;
  refused: Reply;
  tooFast: Reply;
};

export const inventedServiceToken = "invented-token-0123456789";
const token = inventedServiceToken;

const json = (status: number, value: unknown, headers: Record<string, string> = {}): Reply => ({
  kind: "status",
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

const text = z.string().min(1);
const textBytes = (max: number) =>
  text.refine((value) => Buffer.byteLength(value) <= max, { error: `has more than ${max} bytes` });
const bearer = { name: "authorization", value: `Bearer ${token}` };
const basic = { name: "authorization", value: `Basic ${token}` };
const retryAfter = { "retry-after": "7" };
const adf = z.strictObject({
  type: z.literal("doc"),
  version: z.literal(1),
  content: z.array(
    z.strictObject({
      type: z.literal("paragraph"),
      content: z.array(z.strictObject({ type: z.literal("text"), text })),
    }),
  ),
});
const article = z.strictObject({
  ...{ subject: text, body: text, internal: z.boolean() },
  ...{ content_type: z.literal("text/plain"), type: z.literal("note") },
});
const mutation = (name: string, input: z.ZodType) =>
  z.strictObject({
    query: z.string().regex(new RegExp(`^mutation .*${name}\\(input: \\$input\\)`)),
    variables: z.strictObject({ input }),
  });

export const httpDoubles: Readonly<Record<string, Double>> = {
  github: {
    create: {
      path: "/repos/OWNER/REPO/issues",
      body: z.strictObject({ title: text.max(256), body: z.string().max(65_536) }),
    },
    update: {
      ...{ method: "POST", path: "/repos/OWNER/REPO/issues/1347/comments" },
      body: z.strictObject({ body: text.max(65_536) }),
    },
    authorization: bearer,
    // Longer than what the log keeps, with the number behind it.
    accepted: json(201, { url: "x".repeat(2_000), id: 1, number: 1347 }),
    refused: json(422, { message: "Validation Failed" }),
    tooFast: json(403, { message: "You have exceeded a secondary rate limit." }, retryAfter),
  },
  gitlab: {
    create: {
      path: "/api/v4/projects/PROJECT_ID/issues",
      body: z.strictObject({ title: text.max(255), description: z.string() }),
    },
    update: {
      ...{ method: "POST", path: "/api/v4/projects/PROJECT_ID/issues/14/notes" },
      body: z.strictObject({ body: text }),
    },
    authorization: { name: "private-token", value: token },
    accepted: json(201, { id: 84, iid: 14 }),
    refused: json(400, { message: { title: ["can't be blank"] } }),
    tooFast: json(429, { message: "Retry later" }, retryAfter),
  },
  jira: {
    create: {
      path: "/rest/api/3/issue",
      body: z.strictObject({
        fields: z.strictObject({
          project: z.strictObject({ key: text }),
          issuetype: z.strictObject({ name: text }),
          summary: text.max(255).regex(/^[^\r\n]*$/),
          description: adf,
        }),
      }),
    },
    update: {
      ...{ method: "POST", path: "/rest/api/3/issue/KEY-24/comment" },
      body: z.strictObject({ body: adf }),
    },
    authorization: basic,
    accepted: json(201, { id: "10000", key: "KEY-24" }),
    refused: json(400, { errorMessages: ["Field 'priority' is required"] }),
    tooFast: json(429, {}, retryAfter),
  },
  linear: {
    create: {
      path: "/graphql",
      body: mutation(
        "issueCreate",
        z.strictObject({ teamId: text, title: text.max(255), description: z.string() }),
      ),
    },
    update: {
      ...{ method: "POST", path: "/graphql" },
      body: mutation("commentCreate", z.strictObject({ issueId: z.literal("a-1"), body: text })),
    },
    authorization: { name: "authorization", value: token },
    accepted: json(200, { data: { issueCreate: { issue: { id: "a-1" } } } }),
    refused: json(200, { errors: [{ message: "Argument Validation Error" }] }),
    tooFast: json(
      400,
      { errors: [{ extensions: { code: "RATELIMITED" } }] },
      {
        "x-ratelimit-requests-remaining": "0",
        "x-ratelimit-requests-reset": String(Date.parse("2100-01-01T00:00:00Z")),
      },
    ),
  },
  zendesk: {
    create: {
      path: "/api/v2/tickets",
      body: z.strictObject({
        ticket: z.strictObject({
          ...{ subject: text, external_id: z.string() },
          comment: z.strictObject({ body: text }),
        }),
      }),
    },
    update: {
      ...{ method: "PUT", path: "/api/v2/tickets/35436" },
      body: z.strictObject({
        ticket: z.strictObject({
          comment: z.strictObject({ body: text, public: z.literal(false) }),
        }),
      }),
    },
    authorization: basic,
    accepted: json(201, { ticket: { id: 35436 } }),
    refused: json(422, { error: "RecordInvalid" }),
    tooFast: json(429, { error: "TooManyRequests" }, retryAfter),
  },
  zammad: {
    create: {
      path: "/api/v1/tickets",
      body: z.strictObject({ title: text.max(250), group: text, customer: text, article }),
    },
    update: {
      ...{ method: "PUT", path: "/api/v1/tickets/8" },
      body: z.strictObject({ article }),
    },
    authorization: { name: "authorization", value: `Token token=${token}` },
    accepted: json(201, { id: 8 }),
    refused: json(422, { error: "Group can't be blank" }),
    tooFast: json(429, {}, retryAfter),
  },
  "google-chat": {
    create: {
      path: "/v1/spaces/SPACE/messages?key=KEY&token=TOKEN",
      body: z.strictObject({ text: textBytes(32_000) }),
    },
    update: null,
    authorization: null,
    accepted: json(200, { name: "spaces/AAA/messages/BBB" }),
    refused: json(400, { error: { code: 400, status: "INVALID_ARGUMENT" } }),
    tooFast: json(429, { error: { code: 429, status: "RESOURCE_EXHAUSTED" } }),
  },
  mattermost: {
    create: { path: "/hooks/KEY", body: z.strictObject({ text: text.max(16_383) }) },
    update: null,
    authorization: null,
    accepted: { kind: "status", status: 200, body: "ok" },
    refused: json(400, { id: "web.incoming_webhook.parse.app_error" }),
    tooFast: { kind: "status", status: 429, body: "limit exceeded", headers: retryAfter },
  },
  ntfy: {
    create: {
      path: "/",
      body: z.strictObject({
        ...{ topic: text, title: textBytes(1_024), message: textBytes(4_096), click: z.url() },
      }),
    },
    update: null,
    authorization: null,
    accepted: json(200, { id: "sPs71M8A2T", event: "message" }),
    refused: json(400, { code: 40024, error: "invalid request" }),
    tooFast: json(429, { code: 42901, error: "limit reached" }),
  },
  pagerduty: {
    create: {
      path: "/v2/enqueue",
      body: z.strictObject({
        routing_key: z.literal(token),
        event_action: z.literal("trigger"),
        dedup_key: z.string().max(255),
        payload: z.strictObject({
          ...{ summary: text.max(1_024), source: text, severity: z.literal("warning") },
          custom_details: z.strictObject({ message: z.string() }),
        }),
        links: z.array(z.strictObject({ href: z.url(), text })),
      }),
    },
    update: null,
    authorization: null,
    accepted: json(202, { status: "success", dedup_key: "x" }),
    refused: json(400, { status: "invalid event" }),
    tooFast: json(429, {}),
  },
};

/** The fault in a request as the service sees it; null for nothing. */
export function findHttpProblem(double: Double, request: Received): string | null {
  const { create, update, authorization } = double;
  if (authorization && request.headers[authorization.name] !== authorization.value)
    return "not signed in";
  if (request.headers["content-type"] !== "application/json") return "not JSON";
  const body: unknown = JSON.parse(request.body.toString("utf8"));
  const isCreation = request.method === "POST" && request.path === create.path;
  const isUpdate = request.method === update?.method && request.path === update.path;
  const schemas = [...(isCreation ? [create.body] : []), ...(isUpdate ? [update.body] : [])];
  if (schemas.length === 0) return `nothing is at ${request.method} ${request.path}`;
  const faults = schemas.map((schema) => schema.safeParse(body));
  return faults.some(({ success }) => success)
    ? null
    : z.prettifyError(faults[0]?.error ?? noError);
}

const noError = new z.ZodError([]);
