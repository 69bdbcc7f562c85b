import { describe, expect, test } from "vitest";
import type { Listing } from "../domain/feed/listing.ts";
import {
  type EarlierVersion,
  madeIdPrefix,
  type Review,
  type ReviewChange,
  type SourceReview,
} from "../domain/review/review.ts";
import { assignIds, diffReviews } from "./diff-reviews.ts";
import type { IngestBatch } from "./ingest-batch.ts";

const now = new Date("2026-03-10T00:00:00Z");
const listing: Listing = { id: "l", store: "appstore", externalAppId: "1", workspaceId: null };

const sourceReview: SourceReview = {
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

describe("a review of a source", () => {
  test("that is not known is new, and first seen now", () => {
    const change = compare(sourceReview);
    expect(change).toMatchObject({ kind: "new", after: { firstSeenAt: now, country: "us" } });
  });

  test.each([
    ["rating", { rating: 2 }],
    ["title", { title: "Not fine" }],
    ["text", { text: "Broken" }],
  ])("with another %s is an edit that must be analysed and translated again", (_, edit) => {
    const change = compare({ ...sourceReview, ...edit }, known());
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
  ])("with another %s is a change of metadata, not an edit", (_, more) => {
    expect(compare({ ...sourceReview, ...more }, known())).toMatchObject({
      kind: "metadata_changed",
      after: more,
    });
  });

  test.each([
    ["2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z", "After"],
    ["2026-11-02T00:00:00Z", "2026-11-01T00:00:00Z", "Before"],
    ["2026-11-02T00:00:00Z", null, "Before"],
    [null, null, "After"],
  ])("of the same date keeps the later reply: %s, then %s", (earlier, later, kept) => {
    const replyOf = (text: string, at: string | null) => ({ text, at: at ? new Date(at) : null });
    const before = { ...known(), reply: replyOf("Before", earlier) };
    const row = { ...known(), reply: replyOf("After", later) };
    expect(compare(row, before, "import").after.reply?.text).toBe(kept);
  });

  test("without the reply it had, loses it where the source has replies", () => {
    const replied = { ...known(), reply: { text: "Thanks", at: null } };
    expect(compare(sourceReview, replied)).toMatchObject({ kind: "unchanged" });
    const onPlay = { ...listing, store: "googleplay" as const };
    for (const one of [onPlay, { ...listing, credentialId: "c" }]) {
      const before = { ...replied, title: one === onPlay ? null : replied.title };
      expect(compare(sourceReview, before, "store", one)).toMatchObject({
        ...{ kind: "metadata_changed", after: { reply: null } },
      });
      expect(compare(sourceReview, before, "fallback", one).kind).toBe("unchanged");
    }
  });

  test("that says nothing of author, version and votes wipes none of them", () => {
    const silent = { ...sourceReview, author: "", version: "", votes: null };
    expect(compare(silent, known()).kind).toBe("unchanged");
  });

  test.each(["store", "export", "import", "fallback"] as const)(
    "of the source %s that is older changes neither rating, text nor date",
    (source) => {
      const date = new Date("2026-02-01T00:00:00Z");
      const older = { ...sourceReview, rating: 1, title: "Bad", text: "Old words", date };
      const { rating, title, text, date: current } = known();
      const change = compare({ ...older, version: "0.9" }, known(), source);
      expect(change.kind).toBe(source === "fallback" ? "unchanged" : "metadata_changed");
      expect(change.after).toMatchObject({ rating, title, text, version: "1.0", date: current });
      // Another place of a store words the same version differently.
      const earlier = { rating: 1, title: "Bad", text: "Old words", version: "0.9", date };
      expect(change.versions ?? []).toEqual(
        source === "fallback" ? [] : [{ ...earlier, replacedAt: null }],
      );
    },
  );

  test("that is older and says the same adds unknown fields, and is not an earlier version", () => {
    const older = { ...sourceReview, date: new Date("2026-02-01T00:00:00Z") };
    const before = { ...known(), author: "", version: "" };
    const change = compare({ ...older, reply: { text: "Thanks", at: null } }, before, "import");
    const added = { author: "Ada", version: "1.0", reply: { text: "Thanks" }, date: before.date };
    expect(change).toMatchObject({ kind: "metadata_changed", after: added });
    expect(change.versions).toBeUndefined();
  });

  test("of an import keeps what it leaves out", () => {
    const silent = { ...sourceReview, title: null, text: null, date: now };
    const { title, text } = known();
    expect(compare(silent, known(), "import")).toMatchObject({
      ...{ kind: "metadata_changed", after: { title, text, date: now } },
    });
  });

  test("from a fallback is an edit only with a later date", () => {
    const reworded = { ...sourceReview, text: "Works." };
    expect(compare(reworded, known()).kind).toBe("edited");
    expect(compare(reworded, known(), "fallback").kind).toBe("unchanged");
    expect(compare({ ...reworded, date: null }, known(), "fallback").kind).toBe("unchanged");
    expect(compare({ ...reworded, date: now }, known(), "fallback").kind).toBe("edited");
  });

  test.each([
    ["of the same date", sourceReview.date],
    ["without a date", null],
  ])("that is an earlier version again, %s, is not an edit", (_, date) => {
    const versions = [{ ...known(), text: "Broken", replacedAt: now }];
    const again = { ...sourceReview, text: "Broken", date };
    expect(compare(again, known()).kind).toBe("edited");
    for (const source of ["store", "import", "export", "fallback"] as const)
      expect(compare(again, known(), source, listing, versions).kind).toBe("unchanged");
  });

  test("without a date gets the copy's date, and the old one where nothing changed", () => {
    const undated = { ...sourceReview, date: null };
    const undatedAt = new Date("2026-03-05T00:00:00Z");
    const batch = { listing, source: "store" as const, undatedAt };
    const first = diffReviews(batch, {
      identified: assignIds({ listing, reviews: [undated] }, now),
      known: new Map(),
      earlier: new Map(),
      now,
    });
    expect(first).toMatchObject([{ kind: "new", after: { date: undatedAt } }]);
    expect(compare(undated, known()).kind).toBe("unchanged");
  });

  test("on Google Play has no title", () => {
    const play: Listing = { ...listing, store: "googleplay" };
    const batch = { listing: play, source: "store" as const, undatedAt: null };
    const [change] = diffReviews(batch, {
      identified: assignIds({ listing: play, reviews: [sourceReview] }, now),
      known: new Map(),
      earlier: new Map(),
      now,
    });
    expect(change?.after.title).toBeNull();
  });
});

test("a made id is never edited", () => {
  const made = { ...sourceReview, storeReviewId: `${madeIdPrefix}1` };
  const before = { ...known(), storeReviewId: made.storeReviewId };
  const other = { ...made, rating: 1, text: "Broken", date: now, votes: 3 };
  expect(compare(other, before, "import")).toMatchObject({
    ...{ kind: "metadata_changed", after: { rating: 4, text: "Works", votes: 3 } },
  });
});

test("a review that stands twice with one date counts once, in either order", () => {
  const worse = { ...sourceReview, rating: 1 };
  for (const page of [
    [worse, sourceReview],
    [sourceReview, worse],
  ]) {
    expect(assignIds({ listing, reviews: page }, now).map(({ review }) => review)).toEqual([worse]);
  }
});

test("a review that stands twice counts once, with its newer version", () => {
  const newer = { ...sourceReview, text: "Newer", date: now };
  for (const page of [
    [newer, sourceReview],
    [sourceReview, newer],
  ]) {
    expect(assignIds({ listing, reviews: page }, now).map(({ review }) => review)).toEqual([newer]);
  }
});

function known(): Review {
  const change = compare(sourceReview);
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
  of = listing,
  earlier: readonly EarlierVersion[] = [],
): ReviewChange {
  const identified = assignIds({ listing: of, reviews: [review] }, now);
  const known = new Map(before ? [[identified[0]?.id ?? "", before]] : []);
  const [change] = diffReviews(
    { listing: of, source, undatedAt: null },
    { identified, known, earlier: new Map([[identified[0]?.id ?? "", earlier]]), now },
  );
  if (!change) throw new Error("nothing was compared");
  return change;
}
