// The client library against the real read API, its webhook verification over signed bytes and through
// every kind of server, and its types against the schemas that the OpenAPI document is made from.
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import {
  ApiError,
  type App,
  type ChangeQuery,
  type Changes,
  type ChangesQuery,
  ConnectionError,
  createClient,
  type ErrorCode,
  type ExportedReview,
  type ExportQuery,
  type Feed,
  type RatingDay,
  type RatingHistoryQuery,
  type RatingSummary,
  type Release,
  type ReviewEdits,
  type ReviewPage,
  type StarpostClient,
  type StarpostEvent,
  type TrendQuery,
  type Trends,
  type Verdict,
  verifyWebhook,
  type WebhookError,
  type WholeReview,
} from "../sdk/src/index.ts";
import type {
  appSchema,
  editsResponse,
  exportedReview,
  ratingsResponse,
  reviewResponse,
  reviewsResponse,
  trendsResponse,
} from "../src/api/contract.ts";
import type { coverageResponse } from "../src/api/coverage/endpoint.ts";
import type {
  changesParameters,
  editParameters,
  exportParameters,
  ratingHistoryParameters,
  reviewParameters,
  trendParameters,
} from "../src/api/parameters.ts";
import type { ProblemCode } from "../src/api/problem.ts";
import type { ratingHistoryResponse } from "../src/api/rating-history/endpoint.ts";
import type { releasesResponse } from "../src/api/releases/endpoint.ts";
import type { digestSchema } from "../src/domain/changes/digest.ts";
import type { verdictSchema } from "../src/domain/changes/verdict.ts";
import type { AlertBody, EventBody } from "../src/domain/channel/event.ts";
import { type ApiTestContext, openApiTestContext } from "./support/api-test-context.ts";
import { anApp, aReview, saveReviews, saveSnapshots } from "./support/factories.ts";

const baseUrl = "http://starpost.test";
const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const body = JSON.stringify({ event: "review.created", review: { text: "Großartig 😀" } });

test("types are those of the read API and of the webhook bodies", () => {
  expectTypeOf<App>().toEqualTypeOf<z.infer<typeof appSchema>>();
  expectTypeOf<ReviewPage>().branded.toEqualTypeOf<z.infer<typeof reviewsResponse>>();
  expectTypeOf<ExportedReview>().branded.toEqualTypeOf<z.infer<typeof exportedReview>>();
  expectTypeOf<RatingSummary>().toEqualTypeOf<z.infer<typeof ratingsResponse>>();
  expectTypeOf<Verdict>().toEqualTypeOf<z.infer<typeof verdictSchema>>();
  expectTypeOf<Trends>().toEqualTypeOf<z.infer<typeof trendsResponse>>();
  expectTypeOf<WholeReview>().branded.toEqualTypeOf<z.infer<typeof reviewResponse>>();
  expectTypeOf<ReviewEdits>().branded.toEqualTypeOf<z.infer<typeof editsResponse>>();
  type Listed<Body extends z.ZodType, Name extends keyof z.infer<Body>> = z.infer<Body>[Name];
  expectTypeOf<RatingDay[]>().toEqualTypeOf<Listed<typeof ratingHistoryResponse, "history">>();
  expectTypeOf<Release[]>().branded.toEqualTypeOf<Listed<typeof releasesResponse, "releases">>();
  expectTypeOf<Feed[]>().toEqualTypeOf<Listed<typeof coverageResponse, "feeds">>();
  expectTypeOf<Changes>().branded.toEqualTypeOf<z.infer<typeof digestSchema>>();
  expectTypeOf<StarpostEvent>().branded.toEqualTypeOf<EventBody | AlertBody>();
});

test("filters and error codes are those of the read API", () => {
  type Filters<Schema extends z.ZodType> = keyof z.infer<Schema>;
  expectTypeOf<keyof ChangeQuery>().toEqualTypeOf<Filters<typeof reviewParameters>>();
  expectTypeOf<keyof TrendQuery>().toEqualTypeOf<Filters<typeof trendParameters>>();
  // The client reads lines of JSON.
  type ExportFilters = Exclude<Filters<typeof exportParameters>, "format">;
  expectTypeOf<keyof ExportQuery>().toEqualTypeOf<ExportFilters>();
  type HistoryFilters = Filters<typeof ratingHistoryParameters>;
  expectTypeOf<keyof RatingHistoryQuery>().toEqualTypeOf<HistoryFilters>();
  expectTypeOf<keyof ChangesQuery>().toEqualTypeOf<Filters<typeof changesParameters>>();
  type EditQuery = Parameters<StarpostClient["listEdits"]>[0];
  expectTypeOf<keyof EditQuery>().toEqualTypeOf<Filters<typeof editParameters>>();
  expectTypeOf<ErrorCode>().toEqualTypeOf<ProblemCode>();
});

describe("the client", () => {
  let context: ApiTestContext;
  let app: App;
  beforeAll(async () => {
    context = await openApiTestContext();
    app = await anApp(context.database, { workspaceId: context.workspace.id }).then(
      ({ id, name, store, externalAppId }) => ({ id, name, store, externalAppId, appIcon: "" }),
    );
  });
  afterAll(() => context.close());

  function aClient(apiKey = context.key) {
    const fetchApi: typeof fetch = async (url, init) => {
      const { pathname, search } = new URL(String(url));
      const authorization = new Headers(init?.headers).get("authorization");
      const { status, headers, text } = await context.request(pathname + search, {
        headers: { authorization: authorization ?? "" },
      });
      return new Response(text, { status, headers });
    };
    return createClient({ baseUrl, apiKey, fetch: fetchApi, retriesMax: 0 });
  }

  test("lists apps, ratings and trends", async () => {
    const listing = await context.database.findApp({
      id: app.id,
      workspaceId: context.workspace.id,
    });
    if (!listing) throw new Error("the app is missing");
    await saveSnapshots(context.database, listing, [{}]);
    const client = aClient();
    expect((await client.listApps()).map(({ id }) => id)).toEqual([app.id]);
    expect((await client.getRatings({ app: app.id })).app.id).toBe(app.id);
    expect((await client.getTrends({ app: [app.id] })).ratingDistribution).toHaveLength(5);
    expect((await client.getTrends({ app: app.id })).ratingDistribution).toHaveLength(5);
    expect(await client.listTopics()).toContain("crash");
  });

  test("reads a whole list page after page, in order and with filters", async () => {
    const listing = await context.database.findApp({
      id: app.id,
      workspaceId: context.workspace.id,
    });
    if (!listing) throw new Error("the app is missing");
    const reviews = Array.from({ length: 7 }, (_, index) =>
      aReview({ rating: index % 2 === 0 ? 1 : 5, date: new Date(Date.UTC(2026, 10, index + 1)) }),
    );
    await saveReviews(context.database, listing, reviews);
    const dates: string[] = [];
    for await (const review of aClient().eachReview({ app: app.id, rating: 1, limit: 2 })) {
      dates.push(review.date.slice(0, 10));
    }
    expect(dates).toEqual(["2026-11-07", "2026-11-05", "2026-11-03", "2026-11-01"]);
  });

  test("keeps a copy: changes since a moment, and where the next reading begins", async () => {
    const { database, workspace } = context;
    const copied = await anApp(database, { workspaceId: workspace.id });
    await saveReviews(database, copied, [aReview()]);
    const client = aClient();
    const first = await client.listChanges({ updatedSince: "2008-01-01T00:00:00Z", limit: 100 });
    expect(first.reviews.length).toBeGreaterThan(0);
    expect(first.nextCursor).toBeNull();
    const next = await client.listChanges({ updatedSince: first.updatedUntil });
    expect(next.reviews).toEqual([]);
    expect(next.updatedUntil > first.updatedUntil).toBe(true);
    await database.deleteApp(copied.id);
  });

  test("a failure names status, code, faults and the request's id", async () => {
    const failure = await aClient()
      .listReviews({ rating: 9 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      status: 400,
      code: "invalid_parameter",
      errors: [{ parameter: "rating" }],
      requestId: expect.any(String),
    });
  });
});

describe("waiting and trying again", () => {
  function aClientThatGets(responses: readonly (Response | Error)[], options = {}) {
    const waiting = [...responses];
    const client = createClient({
      baseUrl: "https://reviews.example.com/api/v1/",
      apiKey: "sp_x",
      fetch: async (url) => {
        expect(String(url)).toBe("https://reviews.example.com/api/v1/apps");
        const next = waiting.shift();
        if (next instanceof Error) throw next;
        return next ?? Response.json({ apps: [] });
      },
      ...options,
    });
    return { client, left: () => waiting.length };
  }

  test("429 is waited out as long as the service says", async () => {
    const busy = new Response("{}", { status: 429, headers: { "retry-after": "0" } });
    const { client, left } = aClientThatGets([busy]);
    expect(await client.listApps()).toEqual([]);
    expect(left()).toBe(0);
  });

  test("a wait that is longer than the caller allows is an error at once", async () => {
    const busy = new Response(JSON.stringify({ code: "rate_limited", detail: "slow down" }), {
      status: 429,
      headers: { "retry-after": "60" },
    });
    const { client } = aClientThatGets([busy], { waitMaxMs: 1_000 });
    await expect(client.listApps()).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 60,
    });
  });

  test("no answer at all is a connection error with its cause, and an abort is the caller's reason", async () => {
    const { client } = aClientThatGets([new Error("ECONNREFUSED")], { retriesMax: 0 });
    await expect(client.listApps()).rejects.toBeInstanceOf(ConnectionError);
    const reason = new Error("the page was closed");
    await expect(client.listApps({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test.each(["", "export", "../apps", "no/body"])(
    "the review id %j, which is not a UUID, is refused without a request",
    async (review) => {
      const { client, left } = aClientThatGets([new Error("requested")]);
      const failure = { name: "ApiError", status: 404, code: "not_found" };
      await expect(client.getReview({ review })).rejects.toMatchObject(failure);
      expect(left()).toBe(1);
    },
  );

  test("what can't be a base URL or a key is refused when the client is made", () => {
    expect(() => createClient({ baseUrl: "ftp://x", apiKey: "sp_x" })).toThrow(TypeError);
    expect(() => createClient({ baseUrl: "https://x.example", apiKey: "" })).toThrow(TypeError);
  });
});

describe("verification", () => {
  const timestamp = Math.floor(Date.parse("2026-11-21T12:00:00Z") / 1_000);
  const now = (): number => timestamp * 1_000;
  const headers = signed(body);

  function signed(text: string, id = "d-1", key = secret): Record<string, string> {
    return {
      "X-Service-Signature": bodySignatureBy(key, text),
      "X-Service-Delivery": id,
      "Webhook-Id": id,
      "Webhook-Timestamp": String(timestamp),
      "Webhook-Signature": new Webhook(key).sign(id, new Date(now()), text),
    };
  }

  function bodySignatureBy(key: string, text = body): string {
    return `sha256=${createHmac("sha256", key).update(text).digest("hex")}`;
  }

  test("the exact bytes of the channel are verified, whatever form they and the headers have", async () => {
    for (const bytes of [body, Buffer.from(body), new TextEncoder().encode(body).buffer]) {
      for (const source of [headers, new Headers(headers)]) {
        const verified = await verifyWebhook({ body: bytes, headers: source, secret, now });
        expect(verified).toMatchObject({ deliveryId: "d-1", isTest: false });
        expect(verified.event).toEqual(JSON.parse(body));
      }
    }
  });

  test("any of several secrets, and any of several signatures, is enough while one is replaced", async () => {
    const other = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;
    const both = [signed(body, "d-1", other), headers].map((one) => one["Webhook-Signature"]);
    const rotating = { ...headers, "Webhook-Signature": both.join(" ") };
    for (const request of [
      { headers, secret: ["whsec_not base64", other, secret] },
      { headers: rotating, secret },
      // As after a rotation: the body's signature is by the new secret alone.
      { headers: { ...rotating, "X-Service-Signature": bodySignatureBy(other) }, secret: other },
      { headers: { ...rotating, "X-Service-Signature": bodySignatureBy(other) }, secret },
    ]) {
      const verified = await verifyWebhook({ body, now, ...request });
      expect(verified.event.event).toBe("review.created");
    }
  });

  test.each([
    ["missing_signature", { body, headers: {} }],
    ["missing_signature", { body, headers: { ...headers, "Webhook-Signature": "v2,AAAA" } }],
    ["wrong_signature", { body: `${body} `, headers }],
    ["wrong_signature", { body, headers, secret: "whsec_b3RoZXI=" }],
    ["wrong_time", { body, headers, now: () => now() + 301_000 }],
    ["wrong_time", { body, headers, now: () => now() - 301_000 }],
    ["not_json", { body: "[", headers: signed("[") }],
  ] as const)("%s is a reason to refuse", async (reason, request) => {
    const failure = await verifyWebhook({ secret, now, ...request }).catch((error) => error);
    expect((failure as WebhookError).reason).toBe(reason);
  });

  describe("a delivery that was recorded 30 days ago", () => {
    const later = () => now() + 30 * 86_400_000;
    const fresh = String(later() / 1_000);
    const { "X-Service-Signature": bodySignature = "" } = headers;
    const withoutTime = { "X-Service-Signature": bodySignature, "X-Service-Delivery": "d-2" };

    test.each([
      ["as it was", headers, "wrong_time"],
      ["with a new time", { ...headers, "Webhook-Timestamp": fresh }, "wrong_signature"],
      [
        "with a new time and id",
        { ...headers, "Webhook-Timestamp": fresh, "Webhook-Id": "d-2" },
        "wrong_signature",
      ],
      ["without the headers that are signed", withoutTime, "missing_signature"],
    ])("is refused %s", async (_, sent, reason) => {
      const failure = await verifyWebhook({ body, headers: sent, secret, now: later }).catch(
        (error) => error,
      );
      expect((failure as WebhookError).reason).toBe(reason);
    });

    test("is accepted without them only by the option that says so, never with wrong ones", async () => {
      const options = { body, secret, now: later, acceptsBodySignature: true };
      const verified = await verifyWebhook({ ...options, headers: withoutTime });
      expect(verified.deliveryId).toBe("d-2");
      await expect(verifyWebhook({ ...options, headers })).rejects.toThrow("too old");
      const forged = { ...withoutTime, "X-Service-Signature": `sha256=${"0".repeat(64)}` };
      await expect(verifyWebhook({ ...options, headers: forged })).rejects.toThrow("match");
    });
  });
});
