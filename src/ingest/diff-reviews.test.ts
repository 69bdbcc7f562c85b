import { describe, expect, test } from "vitest";
import type { Listing } from "../domain/listing.ts";
import type { Review, SourceReview } from "../domain/review.ts";
import { compareReviews, nameReviews } from "./diff-reviews.ts";
import type { Change, IngestBatch } from "./ingest-batch.ts";

const now = new Date("2026-03-10T00:00:00Z");
const listing: Listing = { id: "l", store: "appstore", externalAppId: "1", workspaceId: null };

const stated: SourceReview = {
  storeReviewId: "9",
  author: "Ada",
  rating: 4,
  title: "Fine",
  text: "Works",
  version: "1.0",
  country: "us",
  languageHint: null,
  date: new Date("2026-03-01T00:00:00Z"),
  votes: 0,
  reply: null,
};

describe("a stated review", () => {
  test("that is not known is new, and first seen now", () => {
    const change = compare(stated);
    expect(change).toMatchObject({ kind: "new", after: { firstSeenAt: now, country: "us" } });
  });

  test.each([
    ["rating", { rating: 2 }],
    ["title", { title: "Not fine" }],
    ["text", { text: "Broken" }],
  ])("with another %s is an edit that must be analysed and translated again", (_, edit) => {
    const change = compare({ ...stated, ...edit }, known());
    expect(change).toMatchObject({
      kind: "edited",
      after: { ...edit, analysis: null, translation: null, editedAt: now },
    });
  });

  test.each([
    ["version", { version: "1.1" }],
    ["votes", { votes: 7 }],
    ["reply", { reply: { text: "Thanks", at: null } }],
    ["date", { date: now }],
  ])("with another %s is restated, which is no edit", (_, more) => {
    expect(compare({ ...stated, ...more }, known())).toMatchObject({
      kind: "restated",
      after: more,
    });
  });

  test("that says nothing of author, version and votes wipes none of them", () => {
    const silent = { ...stated, author: "", version: "", votes: null };
    expect(compare(silent, known()).kind).toBe("unchanged");
  });

  test("in an older copy of a page does not overwrite the newer version", () => {
    const older = { ...stated, text: "Old words", date: new Date("2026-02-01T00:00:00Z") };
    expect(compare(older, known()).kind).toBe("unchanged");
    expect(compare(older, known(), "import").kind).toBe("edited");
  });

  test("that stands elsewhere than usual is an edit only with a later date", () => {
    const reworded = { ...stated, text: "Works." };
    expect(compare(reworded, known()).kind).toBe("edited");
    expect(compare(reworded, known(), "elsewhere").kind).toBe("unchanged");
    expect(compare({ ...reworded, date: null }, known(), "elsewhere").kind).toBe("unchanged");
    expect(compare({ ...reworded, date: now }, known(), "elsewhere").kind).toBe("edited");
  });

  test("without a date gets the copy's date, and the old one where nothing changed", () => {
    const undated = { ...stated, date: null };
    const undatedAt = new Date("2026-03-05T00:00:00Z");
    const batch = { listing, source: "store" as const, undatedAt };
    const first = compareReviews(batch, {
      named: nameReviews(listing, [undated]),
      known: new Map(),
      now,
    });
    expect(first).toMatchObject([{ kind: "new", after: { date: undatedAt } }]);
    expect(compare(undated, known()).kind).toBe("unchanged");
  });

  test("on Google Play has no title", () => {
    const play: Listing = { ...listing, store: "googleplay" };
    const batch = { listing: play, source: "store" as const, undatedAt: null };
    const [change] = compareReviews(batch, {
      named: nameReviews(play, [stated]),
      known: new Map(),
      now,
    });
    expect(change?.after.title).toBeNull();
  });
});

test("a review stated twice counts once, with its newer version", () => {
  const newer = { ...stated, text: "Newer", date: now };
  for (const page of [
    [newer, stated],
    [stated, newer],
  ]) {
    expect(nameReviews(listing, page).map((named) => named.stated)).toEqual([newer]);
  }
});

function known(): Review {
  const change = compare(stated);
  const sentiment = { label: "neutral" as const, score: 0, clauseMin: 0, clauseMax: 0 };
  return {
    ...change.after,
    analysis: { language: "en", sentiment, topics: [], version: 1 },
    translation: { text: "Fine", from: "de" },
  };
}

function compare(
  review: SourceReview,
  before?: Review,
  source: IngestBatch["source"] = "store",
): Change {
  const named = nameReviews(listing, [review]);
  const known = new Map(before ? [[named[0]?.id ?? "", before]] : []);
  const [change] = compareReviews({ listing, source, undatedAt: null }, { named, known, now });
  if (!change) throw new Error("nothing was compared");
  return change;
}
