// Google Play's paging with responses of status 200 that are not pages: errors in place of the payload,
// missing tokens, and follow-ups without the cookie that leads to the server that knows the token.
import { expect, test } from "vitest";
import { crawlReviews } from "../../../test/support/store-harness.ts";
import { systemClock } from "../../lib/clock.ts";
import type { HttpRequest, HttpResult } from "../../lib/http.ts";
import type { FetchedPage, Store } from "../store.ts";
import { createGoogleStore } from "./google-store.ts";

const inEnglish = { externalAppId: "app.lanternfish", region: "en" };

function openStore(answer: (request: HttpRequest, number: number) => string | Answer): {
  store: Store;
  requests: HttpRequest[];
} {
  const requests: HttpRequest[] = [];
  const store = createGoogleStore({
    clock: systemClock,
    baseUrl: "https://play.invalid",
    async http(request): Promise<HttpResult> {
      // The app's page, which counts its reviews.
      if (request.method === "GET") return { ...notFound, url: request.url };
      requests.push(request);
      const answered = answer(request, requests.length);
      const { text, cookie } = typeof answered === "string" ? { text: answered } : answered;
      const headers = cookie === undefined ? {} : { "set-cookie": cookie };
      const body = Buffer.from(`)]}'\n\n${text}`);
      return { kind: "response", status: 200, headers: { ...headers }, body, url: request.url };
    },
  });
  return { store, requests };
}

const notFound = { kind: "response", status: 404, headers: {}, body: Buffer.from("") } as const;

type Answer = { text: string; cookie?: string };

/** A page of so many reviews, each with an id of its own. */
function pageOf(
  count: number,
  { from = 0, token }: { from?: number; token?: string } = {},
): string {
  const reviews = Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const seconds = 1_760_000_000 - number * 60;
    return [
      `r${number}`,
      ["reader"],
      4,
      null,
      `text ${number}`,
      [seconds, 0],
      0,
      null,
      null,
      null,
      null,
    ];
  });
  const payload = JSON.stringify([reviews, [null, token ?? null]]);
  return JSON.stringify([["wrb.fr", "oCPfdb", payload, null, null, null, "generic"]]);
}

const playDataError =
  '[["wrb.fr","oCPfdb",null,null,null,[5,null,[["type.googleapis.com/x.PlayDataError",[1]]]],"generic"]]';
const nothing = '[["wrb.fr","oCPfdb",null,null,null,null,"generic"]]';

const crawl = (store: Store) => crawlReviews(store, inEnglish);

const countOf = (pages: readonly FetchedPage[]): number =>
  pages.reduce((sum, page) => sum + (page.outcome === "ok" ? page.value.reviews.length : 0), 0);

test.each([
  ["on the first page", 1],
  ["in the middle of a list", 2],
])(
  "an error of the store inside a 200 is unknown %s, and never the end of the list",
  async (_, at) => {
    const { store } = openStore((_request, number) =>
      number >= at ? playDataError : pageOf(150, { token: "next" }),
    );
    const pages = await crawl(store);
    expect(pages.at(-1)).toMatchObject({
      outcome: "unknown",
      blocked: false,
      reason: "Google Play sent an error (status 5) instead of reviews",
    });
  },
);

test("an error without the name of the call is unknown as well", async () => {
  const { store } = openStore(() => '[["wrb.fr",null,null,null,null,[13],"generic"]]');
  expect(await store.fetchReviews({ ...inEnglish, cursor: null })).toMatchObject({
    outcome: "unknown",
    reason: "Google Play sent an error (status 13) instead of reviews",
  });
});

const gatewayError =
  '[["wrb.fr","oCPfdb",null,null,null,[5,null,[["type.googleapis.com/x.PlayGatewayError",[]]]],"generic"]]';

test.each([
  ["an error", playDataError],
  ["an error of the gateway", gatewayError],
  ["no frame of the call", '[["di",12]]'],
  ["something that isn't JSON", "oops"],
  ["a payload of another shape", pageOf(1).replace("[[[", "[{},[[")],
  ["reviews without a date", pageOf(20, { from: 150 }).replace(/\[\d{9,},0\]/g, "null")],
])("where the call sends %s, the other call is asked for the page", async (_, trouble) => {
  const { store, requests } = openStore(({ body }, number) => {
    const rpcId = String(body).includes("UsvDTd") ? "UsvDTd" : "oCPfdb";
    if (number === 1) return pageOf(150, { token: "second" });
    return rpcId === "oCPfdb" ? trouble : pageOf(20, { from: 150 }).replace("oCPfdb", rpcId);
  });
  expect(countOf(await crawl(store))).toBe(170);
  expect(requests).toHaveLength(3);
});

test("an empty list of the other call in the middle of a list is not its end", async () => {
  const { store } = openStore(({ body }, number) => {
    if (number === 1) return pageOf(150, { token: "second" });
    return String(body).includes("UsvDTd") ? nothing.replace("oCPfdb", "UsvDTd") : playDataError;
  });
  expect((await crawl(store)).at(-1)).toMatchObject({ outcome: "unknown", blocked: false });
});

test("errors of the gateway are a block where two requests in a row get them", async () => {
  let isWell = false;
  const { store } = openStore(() => (isWell ? pageOf(3) : gatewayError));
  const read = (externalAppId: string) =>
    store.fetchReviews({ externalAppId, region: "en", cursor: null });
  for (let tries = 0; tries < 4; tries += 1) {
    expect(await read("app.lanternfish")).toMatchObject({ outcome: "unknown", blocked: false });
  }
  expect(await read("app.anglerfish")).toMatchObject({ outcome: "unknown", blocked: true });
  isWell = true;
  expect(await read("app.anglerfish")).toMatchObject({ outcome: "ok" });
  isWell = false;
  expect(await read("app.lanternfish")).toMatchObject({ outcome: "unknown", blocked: false });
});

test.each([
  ["a full page without a token", pageOf(150)],
  ["nothing where the page before promised more", nothing],
])("%s is requested once more", async (_, dropped) => {
  const { store, requests } = openStore((_request, number) => {
    if (number === 1) return pageOf(150, { token: "second" });
    return number === 2 ? dropped : pageOf(20, { from: 150 });
  });
  expect(countOf(await crawl(store))).toBe(170);
  expect(requests).toHaveLength(3);
});

test("the second answer counts where the list ends there indeed", async () => {
  const { store, requests } = openStore(() => pageOf(150));
  const pages = await crawl(store);
  expect(pages).toHaveLength(1);
  expect(countOf(pages)).toBe(150);
  expect(requests).toHaveLength(2);
});

test("cookies of the first page go with the follow-ups of its crawl, and with no other crawl", async () => {
  const { store, requests } = openStore(({ headers }, number) => {
    if (!headers?.["cookie"])
      return {
        text: pageOf(150, { token: "second" }),
        cookie:
          "NID=511=abc; expires=Mon, 24-May-2027 10:00:00 GMT; path=/; HttpOnly\nSOCS=x; Secure",
      };
    return pageOf(10, { from: 150 * number });
  });
  expect(countOf(await crawl(store))).toBe(160);
  await store.fetchReviews({ ...inEnglish, cursor: null });
  expect(requests.map(({ headers }) => headers?.["cookie"])).toEqual([
    undefined,
    "NID=511=abc; SOCS=x",
    undefined,
  ]);
});

test("a list that begins with empty pages is read on while there are tokens", async () => {
  const counts = [0, 0, 0, 100, 0, 65];
  const { store } = openStore((_, number) => {
    const from = counts.slice(0, number - 1).reduce((sum, count) => sum + count, 0);
    const token = number < counts.length ? { token: `page ${number}` } : {};
    return pageOf(counts[number - 1] ?? 0, { from, ...token });
  });
  const pages = await crawlReviews(store, inEnglish);
  const reviews = pages.flatMap((page) => (page.outcome === "ok" ? page.value.reviews : []));
  expect(reviews).toHaveLength(165);
});

test("a frame of another name without a payload is not an empty list: the other call is asked", async () => {
  const { store } = openStore((request) =>
    String(request.body).includes("UsvDTd")
      ? pageOf(3)
      : JSON.stringify([["wrb.fr", "Other", null, null, null, null, "generic"]]),
  );
  const page = await store.fetchReviews({ ...inEnglish, cursor: null });
  expect(page).toMatchObject({ outcome: "ok", value: { reviews: [{}, {}, {}] } });
});
