// Every translator over real HTTP against a double of its API: the requests, and how responses and errors
// are parsed.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MovableClock } from "../../../../test/support/movable-clock.ts";
import { patience } from "../../../../test/support/patience.ts";
import {
  doubleKey,
  english,
  openApertiumDouble,
  openChatDouble,
  openDeepLDouble,
  openLibreTranslateDouble,
  type ProviderDouble,
  translateChat,
} from "../../../../test/support/provider-doubles.ts";
import { type HttpClient, openHttpClient } from "../../../lib/http-client.ts";
import { hourMs, minuteMs, secondMs } from "../../../lib/timestamp.ts";
import type { Provider } from "../providers/provider-request.ts";
import { createApertium } from "./apertium.ts";
import { createDeepL, deepLBaseUrl } from "./deepl.ts";
import { createLibreTranslate } from "./libretranslate.ts";
import { createChatTranslator } from "./openai-translator.ts";
import type { Translator } from "./translator.ts";

const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
const client: HttpClient = openHttpClient({
  userAgent: "Starpost/test",
  totalTimeoutMs: patience(5_000),
});
afterAll(() => client.close());

type Kind = {
  name: string;
  openDouble: () => Promise<ProviderDouble>;
  open: (provider: Provider) => Translator;
  /** Requests that one translation takes. */
  requests: number;
  quotaStatus: number;
  needsKey: boolean;
};

const kinds: Kind[] = [
  {
    name: "libretranslate",
    openDouble: openLibreTranslateDouble,
    open: (provider) => createLibreTranslate(clock, provider),
    requests: 2,
    quotaStatus: 402,
    needsKey: true,
  },
  {
    name: "deepl",
    openDouble: openDeepLDouble,
    open: createDeepL,
    requests: 1,
    quotaStatus: 456,
    needsKey: true,
  },
  {
    name: "openai",
    openDouble: () => openChatDouble(translateChat),
    open: (provider) => createChatTranslator({ ...provider, model: "small-1" }),
    requests: 1,
    quotaStatus: 402,
    needsKey: true,
  },
  {
    name: "apertium",
    openDouble: openApertiumDouble,
    open: createApertium,
    requests: 1,
    quotaStatus: 402,
    needsKey: false,
  },
];

describe.each(kinds)("$name", (kind) => {
  let double: ProviderDouble;
  let translator: Translator;
  const providerAt = (baseUrl: string, apiKey: string | null = doubleKey): Provider => ({
    http: client.http,
    baseUrl,
    apiKey,
  });
  const hola = { from: "es", texts: ["Hola & <b>adiós</b> 🌱\n\n«sí»"] };

  beforeAll(async () => {
    double = await kind.openDouble();
    translator = kind.open(providerAt(double.url));
  });
  afterAll(() => double.close());

  test("translates texts in their order and to the letter", async () => {
    const texts = translator.batchMax.jobs > 1 ? ["uno", "dos", ...hola.texts] : hola.texts;
    const translated = await translator.translate({ from: "es", texts });
    expect(translated).toEqual({ kind: "translated", texts: texts.map(english) });
  });

  test("takes its own largest batch", async () => {
    const { jobs, characters } = translator.batchMax;
    const texts = Array.from({ length: jobs }, () => "ñ".repeat(Math.floor(characters / jobs)));
    const translated = await translator.translate({ from: "es-MX", texts });
    expect(translated).toEqual({ kind: "translated", texts: texts.map(english) });
  });

  test("a wrong key is reported without repeating it", async () => {
    if (!kind.needsKey) return;
    const wrong = kind.open(providerAt(double.url, "wrong-key-1"));
    const failed = await wrong.translate(hola);
    expect(failed).toMatchObject({ kind: "failed", about: "provider", cooldownMs: 15 * minuteMs });
    expect(failed).toMatchObject({ reason: expect.stringContaining("does not accept the key") });
    expect(JSON.stringify(failed)).not.toContain("wrong-key-1");
  });

  test.each([
    [429, { "retry-after": "37" }, { about: "provider", cooldownMs: 37 * secondMs }],
    [429, {}, { about: "provider", cooldownMs: null }],
    [503, {}, { about: "provider", cooldownMs: null }],
    [500, {}, { about: "provider", cooldownMs: null }],
    [422, {}, { about: "text", cooldownMs: null }],
    [413, {}, { about: "text", cooldownMs: null }],
  ])("HTTP %s with %o is a failure of %o", async (status, headers, expected) => {
    double.respondNext({ status, headers, body: { error: "later", message: "later" } });
    const open = kind.open(providerAt(double.url));
    expect(await open.translate(hola)).toMatchObject({
      kind: "failed",
      ...expected,
      reason: expect.stringContaining(`HTTP ${status}, later`),
    });
  });

  test("an exhausted quota means a cooldown of an hour", async () => {
    double.respondNext({ status: kind.quotaStatus, body: { message: "Quota exceeded" } });
    const failed = await kind.open(providerAt(double.url)).translate(hola);
    expect(failed).toMatchObject({ about: "provider", cooldownMs: hourMs });
  });

  test("an HTML page, a response of another shape, and no server are failures", async () => {
    double.respondNext({ status: 200, body: "<html>hello</html>" });
    expect(await kind.open(providerAt(double.url)).translate(hola)).toMatchObject({
      kind: "failed",
      about: "provider",
    });
    double.respondNext({ status: 200, body: { something: "else" } });
    expect(await kind.open(providerAt(double.url)).translate(hola)).toMatchObject({
      kind: "failed",
      about: "text",
    });
    expect(await kind.open(providerAt("http://127.0.0.1:9")).translate(hola)).toMatchObject({
      kind: "failed",
      about: "provider",
      reason: expect.stringContaining("no answer"),
    });
  });

  test("a language that it lacks is unsupported, which is not a failure", async () => {
    // A language model refuses none.
    if (kind.name === "openai") return;
    const translated = await translator.translate({ from: "tlh", texts: ["nuqneH"] });
    expect(translated).toMatchObject({ kind: "unsupported", reason: expect.any(String) });
  });
});

test("LibreTranslate's languages are read once an hour, and texts are sent with its own codes", async () => {
  const double = await openLibreTranslateDouble();
  const provider = { http: client.http, baseUrl: double.url, apiKey: doubleKey };
  const translator = createLibreTranslate(clock, provider);
  await translator.translate({ from: "zh", texts: ["好"] });
  await translator.translate({ from: "zh", texts: ["很好"] });
  clock.advance(hourMs);
  // There is a model of it, but none into English.
  expect(await translator.translate({ from: "eo", texts: ["saluton"] })).toMatchObject({
    kind: "unsupported",
  });
  expect(double.requests.map(({ path }) => path)).toEqual([
    "/languages",
    "/translate",
    "/translate",
    "/languages",
  ]);
  expect(JSON.parse(double.requests[1]?.body ?? "")).toMatchObject({
    source: "zh-Hans",
    target: "en",
  });
  await double.close();
});

test("keys of DeepL's free plan go to its own host", () => {
  expect(deepLBaseUrl("abc:fx")).toBe("https://api-free.deepl.com");
  expect(deepLBaseUrl("abc")).toBe("https://api.deepl.com");
});

test.each(["no JSON at all", '{"translations":[{"number":1}]}', '{"translations":[]}'])(
  "a model that writes %s is of no use for that text",
  async (written) => {
    const double = await openChatDouble(() => written);
    const provider = { http: client.http, baseUrl: double.url, apiKey: doubleKey };
    const translator = createChatTranslator({ ...provider, model: "small-1" });
    const translated = await translator.translate({ from: "es", texts: ["hola"] });
    expect(translated).toMatchObject({ kind: "failed", about: "text" });
    await double.close();
  },
);
