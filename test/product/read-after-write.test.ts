// A writer and three processes that read: no process ever answers with what was before an acknowledged
// write, whatever it answered before and whichever tag the client sends.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Review } from "../../src/domain/review/review.ts";
import type { IngestReviews } from "../../src/ingest/ingest-batch.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { minuteMs } from "../../src/lib/timestamp.ts";
import {
  aKey,
  anApp,
  aReview,
  aWorkspace,
  saveSnapshots,
  startTime,
} from "../support/factories.ts";
import { type ServiceProcess, startServiceProcesses } from "../support/service-processes.ts";
import { openTestContext, type TestContext } from "../support/test-context.ts";

let context: TestContext;
let services: ServiceProcess[] = [];
let ingest: IngestReviews;
let stopServices = async (): Promise<void> => {};
beforeAll(async () => {
  context = await openTestContext();
  ingest = createIngest(context);
  ({ services, close: stopServices } = await startServiceProcesses(context.connectionString, 3));
});
afterAll(async () => {
  await stopServices();
  await context.close();
});

type Reader = { url: string; keys: string[]; etags: Map<string, { etag: string; body: string }> };

/** The newest answer of a process: what it sends, or what the client has when it says "unchanged". */
async function read(reader: Reader, path: string): Promise<string> {
  const known = reader.etags.get(path);
  // In turns, because each key answers 60 requests a minute.
  const key = reader.keys.shift() ?? "";
  reader.keys.push(key);
  const headers = {
    authorization: `Bearer ${key}`,
    ...(known ? { "if-none-match": known.etag } : {}),
  };
  const response = await fetch(`${reader.url}/api/v1/${path}`, { headers });
  if (response.status === 304 && known) return known.body;
  const body = await response.text();
  expect(response.status, body).toBe(200);
  reader.etags.set(path, { etag: response.headers.get("etag") ?? "", body });
  return body;
}

const step = fc.record({
  kind: fc.constantFrom("review", "rating", "name", "storefronts"),
  /** The first time a review is new, later it is edited. */
  index: fc.nat({ max: 4 }),
});

test("no process answers with what was before an acknowledged write", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { database } = context;
      const { id: workspaceId } = await aWorkspace(database);
      const made = [1, 2, 3, 4, 5].map(() => aKey(database, { id: workspaceId }));
      const keys = (await Promise.all(made)).map(({ key }) => key);
      const app = await anApp(database, { workspaceId });
      const listing = await database.findListing(app.listingId);
      if (!listing) throw new Error("the listing is missing");
      await saveSnapshots(database, app, [{}]);
      const readers: Reader[] = services.map(({ url }) => ({
        url,
        keys: [...keys],
        etags: new Map(),
      }));
      const texts = new Map<number, string>();
      let total = 10;
      let name = app.name;
      let countries = app.countries;
      for (const [number, { kind, index }] of steps.entries()) {
        if (kind === "review") {
          texts.set(index, `Version ${number}`);
          await ingest({
            listing,
            reviews: [sourceOf(index, number)],
            source: "import",
            notifyPolicy: { kind: "never" },
            undatedAt: null,
          });
        } else if (kind === "rating") {
          total += 1 + index;
          await saveSnapshots(database, app, [{ total }]);
        } else if (kind === "name") {
          name = `Name ${number}`;
          await database.updateApp({ ...app, name, countries });
        } else {
          countries = index % 2 === 0 ? ["us", "gb"] : ["us"];
          await database.updateApp({ ...app, name, countries });
        }
        const isFollowed = (index: number): boolean => countries.includes(countryOf(index));
        const followed = [...texts].filter(([index]) => isFollowed(index)).map(([, text]) => text);
        await Promise.all(
          readers.map(async (reader) => {
            const [ratings, apps, trends, ...pages] = await Promise.all([
              read(reader, `ratings?app=${app.id}`),
              read(reader, "apps"),
              read(reader, `trends?app=${app.id}`),
              ...pageQueries.map((query) => read(reader, `reviews?app=${app.id}${query}`)),
            ]);
            for (const page of pages) {
              const shown = JSON.parse(page).reviews.map(({ text }: { text: string }) => text);
              expect(shown.sort()).toEqual([...followed].sort());
            }
            expect(JSON.parse(ratings).rating.total).toBe(total);
            expect(JSON.parse(apps).apps[0].name).toBe(name);
            expect(JSON.parse(trends).totals.total).toBe(followed.length);
          }),
        );
      }
    }),
    { numRuns: 6 },
  );
});

/** Each finds all that the workspace follows, in another way. */
const pageQueries = ["", "&country=us,gb&rating=3,4", "&updatedSince=2020-01-01T00:00:00Z"];

const countryOf = (index: number): string => (index % 2 === 0 ? "us" : "gb");

function sourceOf(index: number, number: number) {
  const { storeReviewId, ...review }: Review = aReview({
    storeReviewId: `review-${index}`,
    text: `Version ${number}`,
    country: countryOf(index),
    date: new Date(startTime.getTime() - index * minuteMs),
  });
  const { author, rating, title, text, version, country, languageHint, date } = review;
  const rest = { votes: null, reply: null };
  return {
    storeReviewId,
    author,
    rating,
    title,
    text,
    version,
    country,
    languageHint,
    date,
    ...rest,
  };
}
