// The messages to chat services, checked by doubles with the services' documented limits, and the meaning of their
// answers.
import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  aDigestEvent,
  aDropEvent,
  anAlertEvent,
  aReviewEvent,
  oddTexts,
} from "../../../test/support/channel-events.ts";
import {
  type ChatDouble,
  type ChatType,
  chatDoubles,
  inventedToken,
  openChatDouble,
} from "../../../test/support/chat-doubles.ts";
import { patience } from "../../../test/support/patience.ts";
import type { ChannelEvent } from "../../domain/channel/channel-event.ts";
import type { DueDelivery } from "../../domain/channel/delivery.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { createSecretBox } from "../../lib/secret-box.ts";
import { openHostNames } from "../send/host-names.ts";
import { openSender, type Sender } from "../send/send.ts";
import { openUrlPolicy } from "../send/url-check.ts";
import { createEndpointResolver } from "./resolve-endpoint.ts";

const types = Object.keys(chatDoubles) as ChatType[];
const secrets = createSecretBox([randomBytes(32)]);
const policy = openUrlPolicy({ allowHttp: true, allowedCidrs: ["127.0.0.1/32"] });
let sender: Sender;
const doubles = new Map<ChatType, ChatDouble>();

beforeAll(async () => {
  const names = openHostNames({ clock: systemClock, addresses: policy.addresses });
  sender = openSender({ policy, names, timeoutMs: patience(5_000) });
  for (const type of types) doubles.set(type, await openChatDouble(type));
});
afterEach(() => {
  for (const double of doubles.values()) double.reply("as documented");
});
afterAll(async () => {
  await sender.close();
  for (const double of doubles.values()) await double.close();
});

describe.each(types)("%s", (type) => {
  test.each(Object.entries(oddTexts))("shows %s literally, within all limits", async (_, text) => {
    const shown = await sendAndRead(type, aReviewEvent({ text, title: text }));
    const beginning = [...text].slice(0, 40).join("").replace(/\s+/g, " ");
    const flat = shown.join("\n").replace(/\s+/g, " ");
    expect(flat).toContain(beginning);
    if (text.length < 1_000) expect(flat).toContain(text.replace(/\s+/g, " "));
    else expect(flat).toContain("…");
  });

  test("says stars, title, text, translation, author, country, version and day, with links", async () => {
    const event = aReviewEvent({
      translatedText: "The table is never right.",
      translatedFrom: "de",
    });
    const shown = (await sendAndRead(type, event)).join("\n");
    for (const part of [
      "★★☆☆☆",
      "Tidepool *Journal* & <Friends>",
      "Good *tides*",
      "The tide table is wrong.",
      "Translated from German",
      "The table is never right.",
      "river_stone · App Store · DE · version 4.2.1 · 2 Mar 2026",
    ])
      expect(shown).toContain(part);
    const body = String(doubles.get(type)?.requests.at(-1)?.body);
    expect(body).toContain("https://apps.apple.com/de/app/id1234567890");
    expect(body).toContain(
      `https://starpost.example/w/${event.workspaceId}/reviews/${event.app.id}/${event.review.id}`,
    );
  });

  test("says how an edit changed the stars, and shows a drop as a chart", async () => {
    const edited: ChannelEvent = {
      ...aReviewEvent(),
      event: "review.updated",
      change: {
        oldScore: 5,
        newScore: 2,
        ratingChanged: true,
        textChanged: false,
        headline: "Rating changed from 5 to 2 stars",
      },
    };
    const change = (await sendAndRead(type, edited)).join("\n");
    expect(change).toContain("Edited review");
    expect(change).toMatch(/★★★★★ → ★★☆☆☆ +Rating changed from 5 to 2 stars/);
    const drop = (await sendAndRead(type, aDropEvent())).join("\n");
    expect(drop).toContain("fell by 0.31 stars");
    expect(drop).toContain("From 4.52 to 4.21 within 7 days, by 12,345 ratings.");
    expect(drop).toContain(
      "       4.0              5.0\nbefore ██████████░░░░░░░░░░ 4.52\nnow    ████░░░░░░░░░░░░░░░░ 4.21",
    );
    expect(drop).toContain("days   ██▇▅▄▂▁");
  });

  test.each(Object.entries(oddTexts))(
    "shows a digest within all limits, with %s as it was written",
    async (_, text) => {
      const event = aDigestEvent(text.slice(0, 280), 1);
      const flat = (await sendAndRead(type, event)).join("\n").replace(/\s+/g, " ");
      for (const part of [
        "Weekly digest of",
        "23 Feb to 1 Mar",
        "6 of 14 reviews complain about crashes",
        "Rating 4.21 by 12,345 ratings (before 4.25, 61 new)",
        "7 reviews fit this channel's stars and topics",
        "Feature request: 12 bad reviews",
        [...text].slice(0, 60).join("").replace(/\s+/g, " "),
      ])
        expect(flat).toContain(part);
      const body = String(doubles.get(type)?.requests.at(-1)?.body);
      expect(body).toContain(`/w/${event.workspaceId}/overview?app=${event.apps[0]?.app.id}`);
      // A long one names each app, and says that it is shortened.
      const long = aDigestEvent(text.slice(0, 280));
      const shown = (await sendAndRead(type, long)).join("\n");
      const isShort = shown.includes("Shortened to fit a message: Starpost has the rest.");
      const wholeCount = shown.split("7 reviews fit this channel").length - 1;
      expect(isShort).toBe(wholeCount < long.apps.length);
      expect(shown.split("From 23 Feb to 1 Mar there were 14 reviews").length - 1).toBe(5);
      expect(shown).toContain("and 3 more apps");
    },
  );

  test.each([
    ["storefront.failing", "4 storefronts of", "/sources/apps/"],
    ["channel.failing", "The channel", "/sources/channels/"],
    ["reviews.spike", "Unusual reviews of", "/overview?app="],
    ["release.worse", "The newest release of", "/verdicts/"],
  ] as const)("shows the alert %s, literally", async (name, heading, path) => {
    const event = anAlertEvent(name, "Reviews, us: <b>HTTP 403</b> *denied*");
    const shown = (await sendAndRead(type, event)).join("\n");
    for (const part of [heading, "<b>HTTP 403</b> *denied*", "Ratings, de: HTTP 503", "and 2 more"])
      expect(shown).toContain(part);
    const body = String(doubles.get(type)?.requests.at(-1)?.body);
    expect(body).toContain(`/w/${event.workspaceId}${path}`);
  });

  test("429 is a matter of pace, with the time that the service asks for", async () => {
    const double = doubles.get(type);
    double?.reply(double.service.throttled(7));
    const sent = await send(type, aReviewEvent());
    expect(sent).toMatchObject({
      status: 429,
      outcome: { kind: "retry", isThrottled: true, retryAfterMs: 7_000 },
    });
  });

  test("a place that is no more is unreachable, in words, without a retry", async () => {
    const double = doubles.get(type);
    double?.reply(double.service.gone);
    expect(await send(type, aReviewEvent())).toMatchObject({
      outcome: { kind: "unreachable", reason: expect.stringMatching(/says|does not know/) },
    });
  });

  test("5xx, a refusal and an answer that is cut are retried", async () => {
    const double = doubles.get(type);
    double?.reply({ kind: "status", status: 503, body: "<html>" });
    expect(await send(type, aReviewEvent())).toMatchObject({
      outcome: { kind: "retry", isThrottled: false, reason: "HTTP 503" },
    });
    if (double) double.reply(double.service.refuse("something"));
    expect(await send(type, aReviewEvent())).toMatchObject({
      status: 400,
      outcome: { kind: "retry", reason: expect.stringContaining("HTTP 400: ") },
    });
    double?.reply({ kind: "reset" });
    expect(await send(type, aReviewEvent())).toMatchObject({
      status: null,
      outcome: { kind: "retry" },
    });
  });

  test.each<[string, (secret: string) => { status: number; body?: string; location?: string }]>([
    ["as it is", (secret) => ({ status: 400, body: `no ${secret}` })],
    ["in JSON", (secret) => ({ status: 400, body: JSON.stringify({ message: secret }) })],
    ["in a URL", (secret) => ({ status: 400, body: `no ${encodeURIComponent(secret)}` })],
    ["in base64", (secret) => ({ status: 400, body: Buffer.from(secret).toString("base64") })],
    ["in part", (secret) => ({ status: 400, body: `no ${lastPartOf(secret)}` })],
    ["in a redirect", (secret) => ({ status: 302, location: `/elsewhere/${lastPartOf(secret)}` })],
  ])("an answer that repeats the token or URL %s is kept without it", async (_, reply) => {
    const double = doubles.get(type);
    const secret = type === "telegram" ? inventedToken : String(double?.url);
    const { status, body = "", location } = reply(secret);
    double?.reply({ kind: "status", status, body, ...(location && { headers: { location } }) });
    const sent = await send(type, aReviewEvent());
    expect(sent.status).toBe(status);
    const shown = `${sent.reason} ${sent.answer}`;
    expect(shown).toContain("…");
    for (const part of [body, location, lastPartOf(secret)].filter(Boolean))
      expect(shown).not.toContain(part);
  });

  test("goes to the service's hosts and those of the settings alone", async () => {
    const sent = await send(type, aReviewEvent(), { moreHosts: [] });
    expect(sent).toMatchObject({ status: null, outcome: { kind: "retry" } });
    expect(sent.reason).toContain("CHANNEL_HOSTS can allow it");
  });
});

function lastPartOf(secret: string): string {
  return secret.split(/[/:=]/).at(-1) ?? "";
}

async function sendAndRead(type: ChatType, event: ChannelEvent): Promise<string[]> {
  const sent = await send(type, event);
  const double = doubles.get(type);
  const request = double?.requests.at(-1);
  if (!double || !request) throw new Error("nothing came");
  expect(double.findProblem(request)).toBeNull();
  expect(sent.outcome).toEqual({ kind: "delivered" });
  return double.readTexts(request);
}

async function send(type: ChatType, event: ChannelEvent, settings: { moreHosts?: string[] } = {}) {
  const double = doubles.get(type);
  if (!double) throw new Error("no double");
  const channelId = event.channelId;
  const resolve = createEndpointResolver({
    log: silentLog,
    secrets,
    sender,
    queue: {
      findExternalId: async () => null,
      saveExternalId: async () => {},
      findRecipientsLeft: async () => null,
      saveRecipientsLeft: async () => {},
    },
    mailer: null,
    mail: null,
    version: "9.9.9",
    publicUrl: "https://starpost.example/",
    telegramBaseUrl: double.baseUrl,
    moreHosts: ["127.0.0.1"],
    ...settings,
  });
  const secret = type === "telegram" ? inventedToken : double.url;
  const endpoint = resolve({
    channelId,
    type,
    url: "",
    host: "",
    recipients: ["-1001234567890"],
    request: null,
    encryptedSecret: secrets.seal(secret, channelId),
    oldEncryptedSecret: null,
    oldSecretEndsAt: null,
  });
  const delivery = { body: Buffer.from(JSON.stringify(event)) } as DueDelivery;
  const sent = await endpoint.send({
    delivery,
    now: systemClock.now(),
    isFresh: () => true,
    isRepeat: false,
  });
  if (sent.kind === "stale") throw new Error("it was fresh");
  return sent;
}
