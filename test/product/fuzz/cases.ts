// Hostile inputs of every parser that reads bytes from outside. Each has two dimensions, whose product the product
// bounds: a round tries one long row, many short ones, and sizes between.
import { analyzeReview } from "../../../src/analysis/analyze.ts";
import { composeDiscordMessage } from "../../../src/delivery/channel-types/discord/discord.ts";
import { composeHtml } from "../../../src/delivery/channel-types/email/email-message.ts";
import { composeMessage } from "../../../src/delivery/channel-types/message/compose-message.ts";
import type { Message } from "../../../src/delivery/channel-types/message/message.ts";
import { composeSlackMessage } from "../../../src/delivery/channel-types/slack/slack.ts";
import { composeTeamsMessage } from "../../../src/delivery/channel-types/teams/teams.ts";
import { composeTelegramMessage } from "../../../src/delivery/channel-types/telegram/telegram.ts";
import * as ownTopics from "../../../src/features/own-topics/match-phrases.ts";
import { parseConnectPage } from "../../../src/features/store-accounts/apple/connect-reviews.ts";
import { parseApiPage } from "../../../src/features/store-accounts/google/api-reviews.ts";
import {
  consoleCsvModule,
  parseConsolePages,
} from "../../../src/features/store-accounts/google/console-csv.ts";
import { type Budget, runApart } from "../../../src/lib/work-pool.ts";
import {
  parseDesktopReviews,
  parseProductReviews,
} from "../../../src/stores/apple/fallback-reviews.ts";
import { parseSearch } from "../../../src/stores/apple/find-apps.ts";
import { parseLookups } from "../../../src/stores/apple/lookup-parser.ts";
import { parseProductPageRatings } from "../../../src/stores/apple/product-page-ratings.ts";
import { parseRatingsPage } from "../../../src/stores/apple/ratings.ts";
import { parseRssJson } from "../../../src/stores/apple/rss-request.ts";
import { parseRssXml } from "../../../src/stores/apple/rss-xml.ts";
import { parseBatch } from "../../../src/stores/google/batch.ts";
import { parseDetailsPage } from "../../../src/stores/google/details-page.ts";
import { parseSearchPage } from "../../../src/stores/google/google-store.ts";
import { parseReviewsPayload } from "../../../src/stores/google/reviews-payload.ts";
import { aReviewEvent } from "../../support/channel-events.ts";
import type { ChatType } from "../../support/chat-doubles.ts";
import { attempt, type FuzzCase, isMeasured, list, rows } from "./fuzz-case.ts";
import { readRatingsExport } from "./ratings-export.ts";
import { requestCases } from "./request-cases.ts";

const pageBytes = 3 * 1024 * 1024;
/** The limit of a file, or a part of it: its time grows with its size, not what it keeps from others. */
const fileBytes = (isMeasured ? 64 : 2) * 1024 * 1024;

const region = { region: "us", externalAppId: "1" };
/** A page of a store, read by everything that reads pages of its kind. */
function page(name: string, write: (one: number, other: number) => string): FuzzCase[] {
  const parsers: Record<string, (text: string) => unknown> = {
    "RSS as XML": (text) => parseRssXml(text, region),
    "RSS as JSON": (text) => parseRssJson(text, region),
    "App Store product page, reviews": (text) => parseProductReviews(text, region),
    "App Store product page, ratings": (text) => parseProductPageRatings(text, "1"),
    "App Store ratings page": parseRatingsPage,
    "App Store lookup": (text) => parseLookups(text, ["1"]),
    "App Store search": (text) => parseSearch(text, "x"),
    "App Store desktop reviews": (text) => parseDesktopReviews(text, "us"),
    "App Store Connect": parseConnectPage,
    "Google Play details": (text) => parseDetailsPage(text, "app.sample"),
    "Google Play search": parseSearchPage,
    "Google Play reviews": (text) => {
      const batch = parseBatch(text, "UsvDTd");
      return batch.kind === "payload" && parseReviewsPayload(batch.payload, "en");
    },
    "Google Play Developer API": parseApiPage,
  };
  // Written once for all parsers.
  const written = new Map<string, string>();
  return Object.entries(parsers).map(([parser, parse]) => ({
    name: `${parser}: ${name}`,
    dimensions: ["parts", "bytes of each"],
    product: pageBytes,
    prepare(one, other) {
      const key = `${one} ${other}`;
      const text = written.get(key) ?? write(one, other).slice(0, pageBytes);
      written.set(key, text);
      return () => attempt(() => parse(text));
    },
  }));
}

const pages: readonly FuzzCase[] = [
  ...page("tags", (one, other) => rows(`<entry a="${"b".repeat(other)}">`, one)),
  ...page("entries", (_, other) => {
    const entry = `<entry><id>1</id><content type="text">${rows("&amp;", other / 5)}</content></entry>`;
    // Just what is read of a feed.
    return `<feed>${rows(entry, 950_000 / entry.length)}</feed>`;
  }),
  ...page("depth", (one, other) => `${"[".repeat(one)}${"[],".repeat(other / 3)}`),
  ...page("objects", (one, other) => {
    // Each of the four lists has a quarter of the page.
    const count = Math.min(one, pageBytes / 4 / (40 + other));
    const filling = "x".repeat(Math.min(other, pageBytes / 4 / count - 40));
    return JSON.stringify({
      feed: { entry: list(count, () => ({ id: { label: filling } })) },
      results: list(count, () => ({ trackId: 1, trackName: filling })),
      data: list(count, (id) => ({ id, type: "customerReviews", attributes: { body: filling } })),
      reviews: list(count, (id) => ({ reviewId: `${id}`, comments: [filling] })),
    });
  }),
  ...page("numbers in lists", (one, other) => {
    const inner = JSON.stringify(
      list(Math.min(one, pageBytes / (other + 6)), () => [rows("1", other)]),
    );
    return `)]}'\n${JSON.stringify([["wrb.fr", "UsvDTd", inner]])}`;
  }),
  ...page("scripts", (one, other) =>
    rows(
      `<script id="serialized-server-data">${"[1,".repeat(other / 3)}</script>` +
        `<script>AF_initDataCallback({key: 'ds:1', hash: '2', data:[${"1,".repeat(other / 6)}1], sideChannel: {}});</script>`,
      one,
    ),
  ),
  ...page("classes", (one, other) => rows(`<i class="${rows("total ", other / 6)}">x</i>`, one)),
  ...page(
    "lengths of chunks",
    (one, other) => `[\n${rows(`9\n[${"1,".repeat(other / 2)}\n`, one)}`,
  ),
];

/** Lines of a file piece by piece, as a bucket sends them: none is held as a whole. */
async function* readFile(header: string, row: string, byteCount: number): AsyncGenerator<Buffer> {
  yield Buffer.from(header);
  const piece = Buffer.from(row.repeat(Math.max(1, Math.floor(65_536 / row.length))));
  for (let sent = header.length; sent + piece.length <= byteCount; sent += piece.length)
    yield piece;
}

const busy: Budget = { busyMs: 20_000, owner: "fuzz" };
const needed = "Package Name,Star Rating,Review Link,Review Text,Review Last Update Date and Time";
const link = "https://play.google.com/x?reviewId=12345678-1234-1234-1234-123456789012";

function exportCase(
  name: string,
  write: (one: number, other: number) => [string, string],
): FuzzCase {
  return {
    name: `Play Console reviews: ${name}`,
    dimensions: ["columns or cells", "bytes of each"],
    product: 1_000_000,
    prepare(one, other) {
      const [header, row] = write(one, other);
      const chunks = ReadableStream.from(readFile(header, row, fileBytes));
      const work = { module: consoleCsvModule, run: parseConsolePages };
      return () => runApart(work, [chunks, "app.sample"], busy);
    },
  };
}

const exports: readonly FuzzCase[] = [
  exportCase("wide header", (one, other) => [
    `${needed},${rows(`${"c".repeat(other)},`, one)}\n`,
    "x\n",
  ]),
  exportCase("wide rows", (one, other) => [
    `${needed}\n`,
    `${rows(`${"c".repeat(other)},`, one)}\n`,
  ]),
  exportCase("quotes", (one, other) => [
    `${needed}\n`,
    `${rows(`"${"q".repeat(other)}""`, one)}\n`,
  ]),
  exportCase("reviews", (one, other) => [
    `${needed}\n`,
    rows(
      `app.sample,1,${link},"${"long ".repeat(other / 5)}",2026-11-01T00:00:00Z\n`,
      Math.min(one, 500),
    ),
  ]),
  exportCase("short rows", () => [`${needed}\n`, `app.sample,1,${link},a,\n`]),
  {
    name: "Play Console ratings",
    dimensions: ["columns", "bytes of each"],
    product: 65_536,
    prepare(one, other) {
      const header = rows(`${"c".repeat(other)},`, Math.min(one, 195));
      const row = "2026-10-01,app.sample,5,5\n";
      const text = `Date,Package Name,Daily Average Rating,Total Average Rating,${header}\n`;
      return () => readRatingsExport(`${text}${rows(row, (65_536 - text.length) / row.length)}`);
    },
  },
];

/** Phrases that end at each place of a text and are refused there: the word goes on. */
const nested = (count: number): string[] =>
  list(Math.min(count, 50), (at) => `*${"ab".repeat(30).slice(0, at + 2)}`);
const longWord = (length: number): string => `${"ab".repeat(length / 2)}x`;
const apart = { module: ownTopics.ownTopicsModule };

const topics: readonly FuzzCase[] = [
  {
    name: "own topics: phrases × reviews",
    dimensions: ["phrases", "reviews"],
    product: 50 * 1_000,
    prepare(one, other) {
      const reviews = list(Math.min(other, 1_000), () => ({ title: null, text: longWord(8_000) }));
      const rules = list(20, (id) => ({
        id: `${id}`,
        phrases: nested(one),
        revision: 1,
        weights: null,
      }));
      const work = { ...apart, run: ownTopics.findOwnTopics };
      return () => runApart(work, [rules, reviews], { ...busy, busyMs: 2_000 });
    },
  },
  {
    name: "own topics: preview",
    dimensions: ["phrases", "reviews"],
    product: 50 * 1_000,
    prepare(one, other) {
      const texts = list(Math.min(other, 1_000), () => ({ title: null, text: longWord(8_000) }));
      const work = { ...apart, run: ownTopics.previewPhrases };
      return () => runApart(work, [nested(one), texts], { ...busy, busyMs: 1_000 });
    },
  },
  {
    name: "own topics: training",
    dimensions: ["ticks", "bytes of each"],
    product: 2_000 * 8_000,
    prepare(one, other) {
      const text = (at: number) => `${rows("ab cd ", Math.min(other, 8_000) / 6)} ${at}`;
      const ticked = list(Math.min(one, 2_000), (at) => ({
        ...{ title: null, text: text(at), isRight: at % 2 === 0 },
      }));
      const work = { ...apart, run: ownTopics.trainOnTicked };
      return () => runApart(work, [["ab*", "cd*"], ticked], { ...busy, busyMs: 10_000 });
    },
  },
  {
    name: "analysis of a review",
    dimensions: ["words", "letters of each"],
    product: 100_000,
    prepare(one, other) {
      const text = list(Math.min(one, 100_000), () => "ab".repeat(other / 2)).join(" not ");
      return () => analyzeReview({ title: null, text, rating: 1, languageHint: null });
    },
  },
];

/** With the length at which each type cuts the text of a review. */
const composers: Record<
  ChatType | "email",
  { textMax: number; compose: (message: Message) => unknown }
> = {
  slack: { textMax: 2_500, compose: composeSlackMessage },
  discord: { textMax: 1_500, compose: composeDiscordMessage },
  teams: { textMax: 4_000, compose: composeTeamsMessage },
  email: { textMax: 20_000, compose: composeHtml },
  telegram: {
    textMax: 1_500,
    compose: (message) =>
      composeTelegramMessage(message, { secret: "", recipients: ["1"], telegramBaseUrl: "" }),
  },
};

const messages: readonly FuzzCase[] = Object.entries(composers).map(
  ([name, { textMax, compose }]) => ({
    name: `message for ${name}`,
    dimensions: ["words", "signs of each"],
    product: 100_000,
    prepare(one, other) {
      const word = `${"&<*_@#👩‍👩‍👧‍👦".repeat(Math.max(1, other / 17))} `;
      const text = rows(word, one).slice(0, 100_000);
      const event = aReviewEvent({ title: text.slice(0, 1_000), text });
      return () => compose(composeMessage(event, { publicUrl: "https://example.com", textMax }));
    },
  }),
);

export const fuzzCases: readonly FuzzCase[] = [
  ...pages,
  ...exports,
  ...topics,
  ...messages,
  ...requestCases,
];
