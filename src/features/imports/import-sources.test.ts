// The register of sources: a file of each product, library, database and tool that docs/import-format.md lists, in its real
// shape with invented content, read through the import with every field checked.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, saveChannel } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { createIngest } from "../../ingest/ingest-reviews.ts";
import { type ExportedReview, exportReviews } from "../exports/export-reviews.ts";
import { importReviews } from "./import-reviews.ts";

const folder = path.resolve("test/fixtures/import-sources");

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

type Expected = Record<string, unknown>;
type Source = {
  name: string;
  file: string;
  store: keyof typeof storeReview;
  /** As it differs from the review that all files have. */
  review?: Expected;
  more?: Expected[];
  options?: { makesIds?: boolean; timeZone?: string };
};

const storeReview: Record<"appstore" | "googleplay", Expected> = {
  appstore: {
    ...{ storeId: "9912345001", author: "Plover", rating: 2, title: "Lost", version: "5.2" },
    ...{ text: "Notes vanish after the sync.", country: "us", date: "2026-10-03T07:41:22Z" },
    ...{ replyText: null, replyDate: null, votes: null, device: null, osVersion: null },
  },
  googleplay: {
    storeId: "5e0c1d52-0001-4a11-9b00-000000000001",
    ...{ author: "Plover", rating: 2, title: null, text: "Notes vanish after the sync." },
    ...{ version: "5.2", date: "2026-10-03T07:41:22Z", replyText: "Fixed in 5.3." },
    ...{ replyDate: "2026-10-05T09:00:00Z", votes: null, device: null, osVersion: null },
  },
};
const replied = { replyText: "Fixed in 5.3.", replyDate: "2026-10-05T09:00:00Z" };
const day = { date: "2026-10-03T00:00:00Z" };
const second = {
  ...{ storeId: "5e0c1d52-0001-4a11-9b00-000000000002", author: "Rail", rating: 4, text: "Fine" },
  ...{ version: "", replyText: null, replyDate: null, date: "2026-10-04T07:41:22Z" },
};
const consoleReview = { author: "", languageHint: "en", device: "pixel7" };

const appStore = (name: string, file: string, review: Expected = {}, more = {}): Source => ({
  ...{ name, file, store: "appstore", review, ...more },
});
const googlePlay = (name: string, file: string, review: Expected = {}, more = {}): Source => ({
  ...{ name, file, store: "googleplay", review, ...more },
});

const sources: Source[] = [
  appStore("AppFollow, API", "appfollow-api.json", { replyText: "Fixed in 5.3." }),
  appStore("AppFollow, CSV", "appfollow-export.csv", replied),
  appStore("Appbot, API", "appbot-api.json", {
    ...{
      ...day,
      languageHint: "en",
      replyText: "Fixed in 5.3.",
      replyDate: "2026-10-05T00:00:00Z",
    },
  }),
  appStore("Appbot, CSV", "appbot-export.csv", {
    ...{ ...day, replyText: "Fixed in 5.3.", replyDate: "2026-10-05T00:00:00Z" },
  }),
  appStore("Appfigures, API", "appfigures-api.json", { storeId: "212135374Lx7" }),
  appStore("AppTweak, API", "apptweak-api.json", { ...replied, version: "", votes: 3 }),
  appStore("Sensor Tower, API", "sensor-tower-api.json"),
  appStore("data.ai, API", "data-ai-api.json", day),
  appStore("App Store Connect, API", "app-store-connect-api.json", { ...replied, version: "" }),
  appStore("App Store, feed", "app-store-feed.json", { country: "", votes: 3 }),
  appStore("app-store-scraper, JavaScript", "app-store-scraper.json", { country: "" }),
  appStore(
    "app-store-scraper, Python",
    "app-store-scraper-python.csv",
    {
      ...{ storeId: expect.stringMatching(/^made-[0-9a-f]{32}$/), version: "", country: "" },
      ...replied,
    },
    { options: { makesIds: true } },
  ),
  googlePlay("google-play-scraper, JavaScript", "google-play-scraper.json", { votes: 3 }),
  googlePlay(
    "google-play-scraper, Python",
    "google-play-scraper-python.json",
    { votes: 3, date: "2026-10-03T05:41:22Z", replyDate: "2026-10-05T07:00:00Z" },
    { options: { timeZone: "Europe/Berlin" } },
  ),
  googlePlay(
    "Python, json.dump",
    "google-play-scraper-python-nan.txt",
    { votes: 3 },
    {
      more: [
        {
          ...second,
          author: "Plover",
          rating: 2,
          votes: 3,
          ...{ text: "Notes vanish after the sync.", date: "2026-10-03T07:41:22Z" },
        },
      ],
    },
  ),
  googlePlay(
    "pandas, to_csv",
    "pandas.csv",
    { votes: 3 },
    {
      more: [{ ...second, votes: 0, date: "2026-10-04T07:41:22.500Z" }],
    },
  ),
  googlePlay("pandas, to_json", "pandas.json", { votes: 3 }),
  googlePlay("pandas, to_json by lines", "pandas-lines.jsonl", { votes: 3 }),
  googlePlay("R, write.csv", "r.csv", {}, { more: [second] }),
  googlePlay("BigQuery", "bigquery.csv"),
  googlePlay("PostgreSQL", "postgresql.csv", {}, { more: [second] }),
  googlePlay("MySQL", "mysql.tsv", {}, { more: [second] }),
  googlePlay("MongoDB", "mongodb.jsonl", { votes: 3 }),
  googlePlay("Excel", "excel.csv"),
  googlePlay("Files with old Mac line ends", "old-mac.csv"),
  googlePlay("Play Console", "play-console.csv", {
    ...{ ...consoleReview, submittedAt: "2026-10-01T07:41:22Z" },
  }),
  googlePlay("Play Console, 2014", "play-console-2014.csv", {
    ...{
      ...consoleReview,
      storeId: "gp:AOqp-1",
      device: "hammerhead",
      date: "2014-10-03T07:41:22Z",
    },
    ...{ submittedAt: "2014-10-01T07:41:22Z", replyDate: "2014-10-05T09:00:00Z" },
  }),
  googlePlay("Google Play Developer API", "play-developer-api.json", {
    ...{ languageHint: "en", device: "pixel7", osVersion: "34", votes: 3 },
  }),
  appStore("iTunes Connect", "itunes-connect.json", { ...replied, votes: 3 }),
  googlePlay("google-play-scraper, Go", "google-play-scraper-go.json", {
    ...{ languageHint: "en", votes: 3 },
  }),
  googlePlay("google-play-scraper, PHP", "google-play-scraper-php.json", { votes: 3 }),
  googlePlay("SerpApi, Google Play", "serpapi-google-play.json", { version: "", votes: 3 }),
  googlePlay("DataForSEO, Google Play", "dataforseo-google-play.json", { votes: 3 }),
  googlePlay("Hosted scrapers", "hosted-scraper.csv", { votes: 3 }),
];

async function openApp(store: StoreId) {
  const { id: workspaceId } = await aWorkspace(context.database);
  await saveChannel(context.database, { workspaceId });
  const externalAppId = store === "appstore" ? "1387885523" : "com.example.notes";
  const app = await anApp(context.database, { workspaceId, store, externalAppId, isPrivate: true });
  const importSource = ({ file, options }: Source) =>
    importReviews(
      { ...context, ingestReviews: createIngest(context) },
      {
        ...{ appId: app.id, workspaceId: null, notify: true, ...options },
        source: { name: file, chunks: fs.createReadStream(path.join(folder, file)) },
      },
    );
  const exported = async (): Promise<ExportedReview[]> => {
    const found: ExportedReview[] = [];
    const query = { appId: app.id, workspaceId: null };
    for await (const batch of exportReviews(context.database, query)) found.push(...batch);
    return found.sort((one, other) => one.storeId.localeCompare(other.storeId));
  };
  return { importSource, exported };
}

const printed: string[] = [];
afterAll(() => {
  process.stdout.write(`${printed.join("\n")}\n${printed.length} sources are read\n`);
});

test.each(sources)("$name: every field of $file is read", async (source) => {
  const { importSource, exported } = await openApp(source.store);
  const reviews = [{ ...storeReview[source.store], ...source.review }, ...(source.more ?? [])];
  const result = await importSource(source);
  expect(result).toMatchObject({ inserted: reviews.length, rejected: [] });
  expect(await exported()).toMatchObject(reviews);
  // Nothing else in such a file is a field, or has to be asked.
  const { fields = {}, questions } = result.reading ?? {};
  expect(questions).toEqual([]);
  const pairs = Object.entries(fields).map(
    ([field, columns]) => `${field} ← ${columns.join(", ")}`,
  );
  printed.push(`${source.name}: ${reviews.length} rows, ${pairs.join("; ")}`);
});

/** Without the times of the imports. */
function comparable(reviews: readonly ExportedReview[]): unknown[] {
  return reviews.map(({ firstSeenAt: _, editedAt: __, versions, ...review }) => ({
    ...review,
    versions: versions.map(({ replacedAt: ___, ...version }) => version),
  }));
}

test.each(["appstore", "googleplay"] as const)(
  "the sources of %s in any order make the same reviews, and each file again changes nothing",
  async (store) => {
    const files = sources.filter((source) => source.store === store);
    const third = Math.ceil(files.length / 3);
    const orders = [files, files.toReversed(), [...files.slice(third), ...files.slice(0, third)]];
    const results: unknown[] = [];
    for (const order of orders) {
      const { importSource, exported } = await openApp(store);
      for (const file of order) await importSource(file);
      const reviews = comparable(await exported());
      for (const file of order.toReversed()) {
        const { inserted, updated, queued, earlierVersions } = await importSource(file);
        expect([file.name, inserted, updated, queued, earlierVersions]).toEqual([
          ...[file.name, 0, 0, 0, undefined],
        ]);
      }
      expect(comparable(await exported())).toEqual(reviews);
      results.push(reviews);
    }
    expect(results).toEqual(orders.map(() => results[0]));
  },
);

test("docs/import-format.md lists the sources, and each file is of one", () => {
  const page = fs.readFileSync("docs/import-format.md", "utf8");
  const section = page.split("\n## Sources\n")[1]?.split("\n## ")[0] ?? "";
  const listed = [...section.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name]) => name);
  expect(listed.slice(1)).toEqual(sources.map(({ name }) => name));
  expect(fs.readdirSync(folder).sort()).toEqual(sources.map(({ file }) => file).sort());
});
