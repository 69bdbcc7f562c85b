// HTTP channels with their presets, each against a double that behaves as the service's documentation says.
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anyText } from "../../../../test/support/any-text.ts";
import { aDropEvent, aReviewEvent, oddTexts } from "../../../../test/support/channel-events.ts";
import {
  findHttpProblem,
  httpDoubles,
  inventedServiceToken,
} from "../../../../test/support/http-doubles.ts";
import { patience } from "../../../../test/support/patience.ts";
import { openReceiver, type Receiver, type Reply } from "../../../../test/support/receiver.ts";
import { parseHttpSecret } from "../../../domain/channel/channel-destination.ts";
import type { ChannelEvent } from "../../../domain/channel/channel-event.ts";
import type { DueDelivery } from "../../../domain/channel/delivery.ts";
import { httpPresets } from "../../../domain/channel/http-presets.ts";
import { type HttpRequest, httpRequestSchema } from "../../../domain/channel/http-request.ts";
import { systemClock } from "../../../lib/clock.ts";
import { systemDelay as delay } from "../../../lib/delay.ts";
import { renderJsonTemplate } from "../../../lib/json-template.ts";
import { createSecretBox } from "../../../lib/secret-box.ts";
import { hourMs } from "../../../lib/timestamp.ts";
import { openHostNames } from "../../send/host-names.ts";
import { openSender, type Sender } from "../../send/send.ts";
import { openUrlPolicy } from "../../send/url-check.ts";
import { resolveHttp, toTemplateValues } from "./http.ts";

const secrets = createSecretBox([randomBytes(32)]);
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

/** A new one each time: on a busy machine the receiver ends idle connections before the next test. */
function openTestSender(timeouts?: { timeoutMs: number; creationTimeoutMs: number }): Sender {
  const policy = openUrlPolicy({ allowHttp: true, allowedCidrs: ["127.0.0.1/32"] });
  const names = openHostNames({ clock: systemClock, addresses: policy.addresses });
  return openSender({ policy, names, timeoutMs: patience(5_000), ...timeouts });
}

/** Ids that services returned. */
const ids = new Map<string, string>();
beforeEach(() => ids.clear());
type Pair = { reviewId: string; destination: string };
const queue = {
  findExternalId: async (pair: Pair) => ids.get(pair.reviewId + pair.destination) ?? null,
  saveExternalId: async (pair: Pair & { externalId: string }) => {
    ids.set(pair.reviewId + pair.destination, pair.externalId);
  },
};
const deliveryId = "0197a1b2-0000-7000-8000-000000000001";

type Sending = {
  url: string;
  headers?: string;
  request: HttpRequest;
  event: ChannelEvent;
  timeouts?: Parameters<typeof openTestSender>[0];
};

async function send({ url, headers = "", request, event, timeouts }: Sending) {
  const { channelId } = event;
  const sender = openTestSender(timeouts);
  const lines = headers.split("\n").filter((line) => line !== "");
  const secret = JSON.stringify({ url, headers: lines, token: inventedServiceToken });
  const endpoint = resolveHttp(
    {
      ...{ secrets, sender, queue, version: "9.9.9", publicUrl: "https://starpost.example" },
      ...{ telegramBaseUrl: "", moreHosts: [] },
    },
    {
      ...{ channelId, type: "http", url: "", host: "", recipients: [], request },
      encryptedSecret: secrets.seal(secret, channelId),
      ...{ oldEncryptedSecret: null, oldSecretEndsAt: null },
    },
  );
  const delivery = { id: deliveryId, body: Buffer.from(JSON.stringify(event)) } as DueDelivery;
  const sent = await endpoint.send({
    delivery,
    now: systemClock.now(),
    isFresh: () => true,
    isRepeat: false,
  });
  await sender.close();
  if (sent.kind === "stale") throw new Error("it was fresh");
  return sent;
}

const edit = (): ChannelEvent => {
  const change = { oldScore: 2, newScore: 4, ratingChanged: true, textChanged: false };
  const headline = "Rating changed from 2 to 4 stars";
  return { ...aReviewEvent(), event: "review.updated", change: { ...change, headline } };
};

describe.each(httpPresets)("$name", (preset) => {
  const { id, headers, request } = preset;
  const double = httpDoubles[id];
  if (!double) throw new Error(`there is no double of ${id}`);
  const { pathname, search } = new URL(preset.url);
  const sendEvent = (event: ChannelEvent) =>
    send({ url: `http://127.0.0.1:${receiver.port}${pathname}${search}`, headers, request, event });
  const problemOfLast = () => {
    const last = receiver.requests.at(-1);
    return last ? findHttpProblem(double, last) : "nothing came";
  };

  test("accepts a review, a rating drop and an edit", async () => {
    receiver.reply(double.accepted);
    for (const event of [aReviewEvent(), aDropEvent(), edit()]) {
      expect((await sendEvent(event)).outcome).toEqual({ kind: "delivered" });
      expect(problemOfLast()).toBeNull();
    }
    const { method, path } = receiver.requests.at(-1) ?? {};
    const { update } = double;
    expect({ method, path }).toEqual(
      update
        ? { method: update.method, path: update.path }
        : { method: "POST", path: double.create.path },
    );
  });

  test.each(Object.entries(oddTexts))("shows %s in its place", async (_, oddText) => {
    receiver.reply(double.accepted);
    const event = aReviewEvent({ title: null, text: oddText, author: oddText.slice(0, 60) });
    expect((await sendEvent(event)).outcome).toEqual({ kind: "delivered" });
    expect(problemOfLast()).toBeNull();
  });

  test.each([
    ["wide characters", "語".repeat(6_000)],
    ["emoji of several parts", "👩‍👩‍👧‍👦".repeat(2_000)],
    ["backticks", "`".repeat(6_000)],
  ])("takes a review of thousands of %s, and the longest name of an app", async (_, long) => {
    receiver.reply(double.accepted);
    const event = aReviewEvent({ title: null, text: long, author: "Plover" });
    const app = { ...event.app, name: long.slice(0, 1_000) };
    expect((await sendEvent({ ...event, app })).outcome).toEqual({ kind: "delivered" });
    expect(problemOfLast()).toBeNull();
  });

  test("refuses for good, fails for now, and asks to wait", async () => {
    receiver.reply(double.refused);
    const refused = (await sendEvent(aReviewEvent())).outcome;
    expect(refused).toMatchObject({ kind: id === "linear" ? "retry" : "unreachable" });
    receiver.reply({ kind: "status", status: 503 });
    const failed = (await sendEvent(aReviewEvent())).outcome;
    expect(failed).toMatchObject({ kind: "retry", isThrottled: false });
    receiver.reply(double.tooFast);
    const throttled = (await sendEvent(aReviewEvent())).outcome;
    expect(throttled).toMatchObject({ kind: "retry", isThrottled: true });
    const isTimed = "headers" in double.tooFast && double.tooFast.headers?.["retry-after"];
    if (isTimed) expect(throttled).toMatchObject({ retryAfterMs: 7_000 });
    expect(ids.size).toBe(0);
  });
});

describe("a template", () => {
  const made = { publicUrl: null, id: null, token: "t", delivery: deliveryId };
  const values = toTemplateValues(aReviewEvent(), made);
  const render = (template: unknown, more = {}) =>
    renderJsonTemplate(JSON.stringify(template), { ...values, ...more });

  test("keeps whatever a reviewer writes in its text", () => {
    const hostile = fc.oneof(
      anyText(),
      fc.constantFrom('","admin":true,"x":"', "{{token}}", "{{#event}}", '\\", "a": "', "\u2028"),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const more = { "review.text": text };
        const rendered = render({ a: ["before {{review.text}} {{{review.text}}}"], b: 1 }, more);
        expect(rendered).toEqual({ ok: true, value: { a: [`before ${text} ${text}`], b: 1 } });
      }),
    );
  });

  test("has sections for what an event lacks", () => {
    const text = "{{#review.title}}T{{/review.title}}{{^change.headline}}N{{/change.headline}}";
    expect(render({ text })).toEqual({ ok: true, value: { text: "TN" } });
  });

  test.each([
    ["no JSON", '{"a":', "is not a JSON object"],
    ["an unknown name", '{"a":"{{review.txt}}"}', "names {{review.txt}}"],
    ["the prototype", '{"a":"{{constructor.constructor}}"}', "names {{constructor.constructor}}"],
    ["a method of a text", '{"a":"{{#event}}{{toString}}{{/event}}"}', "names {{toString}}"],
    ["the context itself", '{"a":"{{.}}"}', "names {{.}}"],
    ["a partial", '{"a":"{{>other}}"}', "can't have {{>other}}"],
    ["a tag without an end", `{"a":"{{event${" ".repeat(19_000)}"}`, "has a {{ without }}"],
    ["a raw tag without an end", `{"a":"{{{event}}${" ".repeat(19_000)}"}`, "without }}}"],
    ["spaces in a tag", `{"a":"{{event${" ".repeat(200)}}}"}`, "has a {{ without }}"],
    ["other tags", '{"a":"{{=<% %>=}}<%event%>"}', "can't have {{="],
    ["an open section", '{"a":"{{#event}}"}', "Unclosed section"],
    ["too many placeholders", `{"a":"${"{{event}}".repeat(101)}"}`, "more than 100 placeholders"],
    ["depth", `${'{"a":'.repeat(500)}1${"}".repeat(500)}`, "is not a JSON object"],
    ["length", `{"a":"${"x".repeat(20_000)}"}`, "is longer than 20000 characters"],
  ])("with %s is refused", (_, body, fault) => {
    const parsed = httpRequestSchema.safeParse({ method: "POST", body });
    expect(parsed.error?.issues[0]?.message).toContain(fault);
  });

  test("that makes too much is never sent", async () => {
    const body = JSON.stringify({ a: "{{review.text}}".repeat(100) });
    const event = aReviewEvent({ text: "x".repeat(9_000) });
    const before = receiver.requests.length;
    const url = receiver.url;
    const { outcome } = await send({ url, request: { method: "POST", body }, event });
    expect(outcome).toMatchObject({ kind: "unreachable" });
    expect(receiver.requests).toHaveLength(before);
  });
});

describe("an answer", () => {
  const request: HttpRequest = {
    ...{ method: "POST", body: "{}", idAt: "/id", done: [409], gone: [404] },
    update: { method: "PUT", path: "/{{id}}", body: '{"id":"{{id}}"}' },
  };
  const answer = (status: number, body = "") => receiver.reply({ kind: "status", status, body });
  const post = () => send({ url: receiver.url, request, event: aReviewEvent() });

  test("is done or gone by the statuses that the request names", async () => {
    answer(409);
    expect((await post()).outcome).toEqual({ kind: "delivered" });
    answer(404);
    expect((await post()).outcome).toMatchObject({ kind: "unreachable" });
  });

  test.each(["../admin", "a/b", "", "?x=1", "x".repeat(201)])(
    "with the id %j names no place to update",
    async (id) => {
      answer(200, JSON.stringify({ id }));
      await post();
      expect(ids.size).toBe(0);
    },
  );

  test("that repeats the token or the URL is logged without them, and cut", async () => {
    const secret = `${inventedServiceToken} ${receiver.url} ${"x".repeat(5_000)}`;
    answer(500, secret);
    const { answer: logged } = await post();
    expect(String(logged)).toMatch(/^… … x+$/);
    expect(logged?.length).toBeLessThanOrEqual(1_024);
  });

  test.each([
    ["as it is", (text: string) => text],
    ["escaped", (text: string) => JSON.stringify(text)],
    ["in a URL", encodeURIComponent],
    ["in base64", (text: string) => Buffer.from(text).toString("base64")],
    ["in base64 behind a name", (text: string) => Buffer.from(`me:${text}`).toString("base64")],
    ["in base64 for URLs", (text: string) => Buffer.from(`m:${text}:x`).toString("base64url")],
  ])("that repeats the token %s shows no part of it in the reason or the id", async (_, encode) => {
    const echo = encode(inventedServiceToken);
    const reading = { ...request, errorAt: "/error" };
    const sendReading = () => send({ url: receiver.url, request: reading, event: aReviewEvent() });
    answer(401, JSON.stringify({ error: { message: `not ${echo}` } }));
    const { outcome, answer: logged } = await sendReading();
    expect(outcome).toMatchObject({ kind: "retry", reason: expect.stringContaining("…") });
    const parts = [echo, inventedServiceToken].map((text) => text.slice(4, -4));
    for (const part of parts) expect(JSON.stringify([outcome, String(logged)])).not.toContain(part);
    answer(200, JSON.stringify({ id: echo }));
    await sendReading();
    expect([...ids.values()].filter((id) => parts.some((part) => id.includes(part)))).toEqual([]);
  });

  test.each([
    ["Authorization: Basic bWU6cGFzcy13b3JkLTEyMw==", "pass-word-123"],
    ['Authorization: Token token="key-0123456789"', "key-0123456789"],
    ["Cookie: id=abcdefghij-1; theme=dark", "abcdefghij-1"],
  ])("that repeats a part of the header %s is kept without it", async (headers, part) => {
    const reading = { ...request, errorAt: "/error" };
    const sendReading = () =>
      send({ url: receiver.url, headers, request: reading, event: aReviewEvent() });
    answer(401, JSON.stringify({ error: `not ${part}` }));
    const { outcome, answer: logged } = await sendReading();
    expect(JSON.stringify([outcome, String(logged)])).not.toContain(part);
    const location = `/elsewhere/${part}`;
    receiver.reply({ kind: "status", status: 302, body: "", headers: { location } });
    expect(await sendReading()).toMatchObject({ reason: expect.stringContaining("/elsewhere/…") });
  });

  test("of a redelivered review updates what was created", async () => {
    answer(201, '{"id":7}');
    await post();
    await post();
    expect(receiver.requests.at(-1)).toMatchObject({ method: "PUT", path: "/hook/7" });
    expect(String(receiver.requests.at(-1)?.body)).toBe('{"id":"7"}');
  });
});

describe("a creation", () => {
  const update = { method: "POST" as const, path: "/{{id}}/comments", body: "{}" };
  const request: HttpRequest = {
    ...{ method: "POST", body: '{"key":"{{delivery}}"}', idAt: "/number", update },
  };
  const at = (path: string) => `http://127.0.0.1:${receiver.port}${path}`;
  const lastPath = () => receiver.requests.at(-1)?.path;

  test.each<[string, string, HttpRequest]>([
    ["another repository", "/new/issues", request],
    ["another kind of id", "/old/issues", { ...request, idAt: "/id" }],
    [
      "another place of comments",
      "/old/issues",
      { ...request, update: { ...update, path: "/7/{{id}}/comments" } },
    ],
  ])("is repeated at %s, whose issues are others", async (_, path, other) => {
    receiver.reply({ kind: "status", status: 201, body: '{"number":42,"id":42}' });
    await send({ url: at("/old/issues"), request, event: aReviewEvent() });
    await send({ url: at(path), request: other, event: edit() });
    expect(lastPath()).toBe(path);
    await send({ url: at(path), request: other, event: edit() });
    expect(lastPath()).toBe(path + other.update?.path.replace("{{id}}", "42"));
    await send({ url: at("/old/issues"), request, event: edit() });
    expect(lastPath()).toBe("/old/issues/42/comments");
  });

  test("names its delivery in a header and in the template", async () => {
    receiver.reply({ kind: "status", status: 500 });
    const headers = "X-Request: {{delivery}}";
    await send({ url: receiver.url, headers, request, event: aReviewEvent() });
    const { headers: sent, body } = receiver.requests.at(-1) ?? {};
    expect(sent).toMatchObject({ "idempotency-key": deliveryId, "x-request": deliveryId });
    expect(String(body)).toBe(`{"key":"${deliveryId}"}`);
    const own = "Idempotency-Key: starpost-{{delivery}}";
    await send({ url: receiver.url, headers: own, request, event: aReviewEvent() });
    const key = receiver.requests.at(-1)?.headers["idempotency-key"];
    expect(key).toBe(`starpost-${deliveryId}`);
  });

  test("may take longer than an update", async () => {
    const timeouts = { timeoutMs: 100, creationTimeoutMs: 10_000 };
    receiver.reply(async () => {
      await delay(300);
      return { kind: "status", status: 201, body: '{"number":42}' };
    });
    const post = (event: ChannelEvent) => send({ url: receiver.url, request, event, timeouts });
    expect((await post(aReviewEvent())).outcome).toEqual({ kind: "delivered" });
    expect((await post(edit())).outcome).toMatchObject({ kind: "retry", retryAfterMs: null });
  });

  test.each<[string, Reply]>([
    ["no answer", { kind: "hang" }],
    ["a closed connection", { kind: "reset" }],
    ["504 of a proxy", { kind: "status", status: 504 }],
  ])("with %s is repeated after hours: it may exist", async (_, reply) => {
    receiver.reply(reply);
    const timeouts = { timeoutMs: 100, creationTimeoutMs: 200 };
    const { outcome } = await send({ url: receiver.url, request, event: aReviewEvent(), timeouts });
    expect(outcome).toMatchObject({ kind: "retry", retryAfterMs: 6 * hourMs });
  });

  test("that could not be sent is repeated as usual", async () => {
    const { outcome } = await send({ url: "http://127.0.0.1:1/x", request, event: aReviewEvent() });
    expect(outcome).toMatchObject({ kind: "retry", retryAfterMs: null });
  });
});

test("a token reaches headers and nothing else of the secret", () => {
  const headers = ["Authorization: Bearer {{token}}", "content-type: application/ld+json"];
  const secret = JSON.stringify({ url: "https://a.example", headers, token: "abc" });
  expect(parseHttpSecret(secret).headers).toEqual([
    ...["content-type", "application/ld+json"],
    ...["Idempotency-Key", "{{delivery}}"],
    ...["Authorization", "Bearer abc"],
  ]);
});
