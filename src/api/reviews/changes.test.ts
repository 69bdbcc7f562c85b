import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import type { DatabaseTransaction } from "../../database/database.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";
import { reviewsResponse } from "../contract.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const longAgo = "2008-01-01T00:00:00Z";

async function aReader(appCount = 1): Promise<{ key: string; apps: App[] }> {
  const { workspace, key } = await context.addWorkspace();
  const apps: App[] = [];
  for (let number = 0; number < appCount; number += 1) {
    apps.push(await anApp(context.database, { workspaceId: workspace.id }));
  }
  return { key, apps };
}

type Changes = { reviews: { id: string; text: string }[]; until: string };

/** All pages, and where the next reading begins. */
async function readChanges(key: string, query: string): Promise<Changes> {
  const reviews: Changes["reviews"] = [];
  for (let cursor: string | null = ""; ; ) {
    const path = `/api/v1/reviews?${query}${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const answer = await context.request(path, { key });
    expect(answer.status, answer.text).toBe(200);
    const page = reviewsResponse.parse(answer.json);
    reviews.push(...page.reviews);
    cursor = page.nextCursor;
    if (cursor === null) return { reviews, until: answer.headers.get("updated-until") ?? "" };
  }
}

const idsOf = ({ reviews }: Changes) => reviews.map(({ id }) => id);

async function edit({ listingId }: App, review: Review): Promise<void> {
  await context.database.updateReviews({ listingId, reviews: [review] });
}

/** A transaction that did its work and waits until the test ends it. */
async function begin(
  work: (tx: DatabaseTransaction) => Promise<unknown>,
): Promise<{ end(error?: Error): Promise<void> }> {
  let finish = (_error?: Error): void => {};
  const over = new Promise<void>((resolve, reject) => {
    finish = (error) => (error ? reject(error) : resolve());
  });
  let ended: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    ended = context.database.transaction(async (tx) => {
      await work(tx);
      resolve();
      await over;
    });
    ended.catch(reject);
  });
  return {
    async end(error) {
      finish(error);
      await ended.catch((reason) => expect(reason).toBe(error));
    },
  };
}

describe("200", () => {
  test("new, edited, analysed and translated reviews come in the order in which they changed", async () => {
    const { key, apps } = await aReader();
    const [app] = apps as [App];
    const [one, two, three, four] = (await saveReviews(
      context.database,
      app,
      [1, 2, 3, 4].map((day) => aReview({ date: new Date(`2026-11-0${day}T00:00:00Z`) })),
    )) as [Review, Review, Review, Review];
    const first = await readChanges(key, `updatedSince=${longAgo}&limit=3`);
    expect(idsOf(first).sort()).toEqual([one, two, three, four].map(({ id }) => id).sort());
    expect(idsOf(await readChanges(key, `updatedSince=${first.until}`))).toEqual([]);

    await edit(app, { ...three, text: "Edited." });
    await edit(app, { ...one, analysis: null });
    const translation = { text: "Correct.", from: "de" };
    await context.database.setTranslations({
      listingId: app.listingId,
      translated: [{ reviewId: four.id, source: four.text, translation }],
    });
    const second = await readChanges(key, `updatedSince=${first.until}&limit=1`);
    expect(idsOf(second)).toEqual([three.id, one.id, four.id]);
    expect(second.reviews[0]?.text).toBe("Edited.");
    expect(idsOf(await readChanges(key, `updatedSince=${second.until}`))).toEqual([]);
  });

  test("filters apply to the review as it is now, and storefronts are the workspace's own", async () => {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, {
      workspaceId: workspace.id,
      countries: ["us", "gb"],
    });
    const dated = (day: string) => ({ date: new Date(`2026-11-${day}T12:00:00Z`) });
    const [ads, , old] = await saveReviews(context.database, app, [
      aReview({ ...dated("10"), rating: 1, topics: ["ads"], country: "us" }),
      aReview({ ...dated("11"), rating: 1, topics: ["ads"], country: "jp" }),
      aReview({ ...dated("09"), rating: 5, country: "gb", version: "1.0" }),
    ]);
    const since = `updatedSince=${longAgo}`;
    const found = async (query: string) => idsOf(await readChanges(key, `${since}&${query}`));
    expect((await found("limit=1")).sort()).toEqual([ads?.id, old?.id].sort());
    expect(await found("rating=1,2&topic=ads,crash")).toEqual([ads?.id]);
    expect(await found("to=2026-11-09")).toEqual([old?.id]);
    expect(await found("from=2026-11-10&language=en&sentiment=neutral")).toEqual([ads?.id]);
    expect(await found("country=jp")).toEqual([]);
    expect(await found("country=gb&version=1.0&limit=1")).toEqual([old?.id]);
    expect(await found("store=googleplay")).toEqual([]);
  });

  test("a change behind one that is not committed waits for it, also for a client with a tag", async () => {
    const { key, apps } = await aReader(2);
    const [slow, quick] = apps as [App, App];
    const path = `/api/v1/reviews?updatedSince=${longAgo}`;
    const open = await begin((tx) =>
      tx.insertReviews({ listingId: slow.listingId, reviews: [aReview()] }),
    );
    const [behind] = await saveReviews(context.database, quick, [aReview()]);
    const before = await context.request(path, { key });
    expect(reviewsResponse.parse(before.json).reviews).toEqual([]);
    // It never commits: no version of a listing shows that the other review can be returned now.
    await open.end(new Error("broken off"));
    const etag = before.headers.get("etag") ?? "";
    const after = await context.request(path, { key, headers: { "if-none-match": etag } });
    expect(after.status).toBe(200);
    expect(reviewsResponse.parse(after.json).reviews.map(({ id }) => id)).toEqual([behind?.id]);
    const until = before.headers.get("updated-until");
    expect(idsOf(await readChanges(key, `updatedSince=${until}`))).toEqual([behind?.id]);
  });

  test("a page that did not change is 304 with the moment up to which that is true", async () => {
    const { key, apps } = await aReader();
    await saveReviews(context.database, apps[0] as App, [aReview()]);
    const path = `/api/v1/reviews?updatedSince=${longAgo}`;
    const first = await context.request(path, { key });
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    const second = await context.request(path, { key, headers });
    expect(second.status).toBe(304);
    const [earlier, later] = [first, second].map((answer) => answer.headers.get("updated-until"));
    expect(String(later) > String(earlier)).toBe(true);
  });

  test("a copy misses nothing, however writes, their ends and pages come one after the other", async () => {
    const step = fc.record({
      listing: fc.nat({ max: 2 }),
      review: fc.nat({ max: 3 }),
      kind: fc.constantFrom("begin", "end", "end", "break off", "read", "read"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const { key, apps } = await aReader(3);
        const copy = new Map<string, string>();
        const stored = new Map<string, string>();
        let since = longAgo;
        let cursor: string | null = null;
        const read = async (): Promise<void> => {
          const path = `/api/v1/reviews?limit=1&updatedSince=${since}`;
          const answer = await context.request(cursor ? `${path}&cursor=${cursor}` : path, { key });
          const page = reviewsResponse.parse(answer.json);
          for (const { id, text } of page.reviews) copy.set(id, text);
          cursor = page.nextCursor;
          if (cursor === null) since = answer.headers.get("updated-until") ?? "";
        };
        type Open = { end(error?: Error): Promise<void>; written: Review };
        const open = new Map<number, Open>();
        const known = new Set<string>();
        const end = async (listing: number, error?: Error): Promise<void> => {
          const { end, written } = open.get(listing) ?? {};
          open.delete(listing);
          await end?.(error);
          if (!written || error) return;
          known.add(written.id);
          stored.set(written.id, written.text);
        };
        for (const [number, { kind, listing, review }] of steps.entries()) {
          const listingId = apps[listing]?.listingId ?? "";
          if (kind === "read") await read();
          else if (kind === "end") await end(listing);
          else if (kind === "break off") await end(listing, new Error("broken off"));
          else if (!open.has(listing)) {
            const id = `00000000-0000-5000-8000-0000000000${listing}${review}`;
            const written = { ...aReview({ text: `Text ${number}` }), id, storeReviewId: id };
            const write = { listingId, reviews: [written] };
            const transaction = await begin((tx) =>
              known.has(id) ? tx.updateReviews(write) : tx.insertReviews(write),
            );
            open.set(listing, { end: transaction.end, written });
          }
        }
        for (const listing of [...open.keys()]) await end(listing);
        do await read();
        while (cursor !== null);
        // A first page since then has the changes that came while the last pages were read.
        do await read();
        while (cursor !== null);
        expect(copy).toEqual(stored);
      }),
      { numRuns: 25 },
    );
  });
});

describe("400", () => {
  test.each([
    "2026-11-21",
    "2026-11-21T08:37:00",
    "2026-11-21T08:37:00+24:00",
    "2026-02-30T08:37:00+01:00",
    "2008-01-01T00:30:00+01:00",
    "2026-11-21T08:37:00.1234567890Z",
    "2026-02-30T08:37:00Z",
    "2007-12-31T23:59:59Z",
    "2026-11-21T24:00:00Z",
    "now",
    "",
  ])("updatedSince=%s is not a moment", async (text) => {
    const path = `/api/v1/reviews?updatedSince=${encodeURIComponent(text)}`;
    const answer = await context.request(path);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ errors: [{ parameter: "updatedSince" }] });
  });

  test("a cursor of changes opens neither another moment nor the list by date", async () => {
    const { key, apps } = await aReader();
    await saveReviews(context.database, apps[0] as App, [aReview(), aReview()]);
    const since = `updatedSince=${longAgo}`;
    const page = await context.request(`/api/v1/reviews?${since}&limit=1`, { key });
    const { nextCursor } = reviewsResponse.parse(page.json);
    for (const other of ["", "updatedSince=2009-01-01T00:00:00Z&"]) {
      const path = `/api/v1/reviews?${other}cursor=${nextCursor}`;
      const answer = await context.request(path, { key });
      expect(answer.json).toMatchObject({ status: 400, code: "invalid_cursor" });
    }
  });
});
