import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  EarlierVersion,
  Review,
  ReviewChange,
  SourceReview,
} from "../domain/review/review.ts";
import { assignIds, diffReviews } from "./diff-reviews.ts";
import { numberVersions } from "./earlier-versions.ts";

const now = new Date("2026-11-21T12:00:00Z");
const listing = { id: "l", store: "appstore", externalAppId: "1", workspaceId: null } as const;

const base: SourceReview = {
  storeReviewId: "9",
  author: "Ada",
  rating: 4,
  title: null,
  text: "Fine",
  version: "1.0",
  country: "us",
  languageHint: null,
  date: new Date("2026-10-01T00:00:00Z"),
  votes: 0,
  reply: null,
};

/** The reviews after imports of these files, one after the other. */
class Stored {
  readonly reviews = new Map<string, Review>();
  readonly versions = new Map<string, EarlierVersion[]>();

  import(rows: readonly SourceReview[]): ReviewChange[] {
    return rows.flatMap((row) => this.#importRow(row));
  }

  #importRow(row: SourceReview): ReviewChange[] {
    const identified = assignIds({ listing, reviews: [row] }, now);
    const found = { identified, known: this.reviews, earlier: this.versions, now };
    const changes = diffReviews({ listing, source: "import", undatedAt: null }, found);
    for (const change of changes) {
      const { before, after, versions } = change;
      this.reviews.set(after.id, after);
      const known = this.versions.get(after.id) ?? [];
      if (versions) this.versions.set(after.id, numberVersions([change]));
      else if (change.kind === "edited" && !change.isCompletion && before)
        this.versions.set(after.id, [...known, { ...before, replacedAt: now }]);
    }
    return changes;
  }

  /** Without the times of the imports. */
  list(): unknown[] {
    return [...this.reviews.values()].map(({ firstSeenAt: _, editedAt: __, id, ...review }) => ({
      ...review,
      versions: (this.versions.get(id) ?? []).map(({ rating, title, text, version, date }) => [
        ...[rating, title, text, version, date.toISOString()],
      ]),
    }));
  }
}

const dates = ["2026-10-01T00:00:00Z", "2026-10-01T09:15:00Z", "2026-10-02T00:00:00Z"];
const row = fc
  .record({
    storeReviewId: fc.constantFrom("1", "2"),
    date: fc.constantFrom(...dates).map((date) => new Date(date)),
    rating: fc.integer({ min: 1, max: 3 }),
    text: fc.constantFrom("Fine", "Slow", "Slow, again"),
    version: fc.constantFrom("1.0", "1.1"),
    votes: fc.option(fc.integer({ min: 0, max: 2 })),
    reply: fc.option(
      fc.record({
        text: fc.constantFrom("Sorry.", "Thanks."),
        at: fc.option(fc.constantFrom(...dates).map((date) => new Date(date))),
      }),
    ),
    // A file may lack what others have of the same review.
    hasAuthor: fc.boolean(),
    hasCountry: fc.boolean(),
    hasHint: fc.boolean(),
    hasDevice: fc.boolean(),
  })
  .map(
    ({ hasAuthor, hasCountry, hasHint, hasDevice, ...more }): SourceReview => ({
      ...{ ...base, ...more },
      author: hasAuthor ? "Ada" : "",
      country: hasCountry ? "us" : null,
      languageHint: hasHint ? "en" : null,
      ...(hasDevice && { device: "pixel7" }),
    }),
  );

test("rows in any order, and any number of times, make the same reviews", () => {
  const files = fc.array(row, { maxLength: 7 }).chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      shuffled: fc.shuffledSubarray(rows, { minLength: rows.length }),
    }),
  );
  fc.assert(
    fc.property(files, ({ rows, shuffled }) => {
      const [one, other] = [new Stored(), new Stored()];
      one.import(rows);
      other.import(shuffled);
      const byId = (list: unknown[]) =>
        list.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
      expect(byId(other.list())).toEqual(byId(one.list()));
      for (const again of [shuffled, rows]) {
        expect(new Set(one.import(again).map(({ kind }) => kind))).toEqual(
          new Set(rows.length > 0 ? ["unchanged"] : []),
        );
      }
    }),
    { numRuns: 500 },
  );
});

test("any three rows of a review change nothing when they come again, also without texts", () => {
  const rows = [1, 4].flatMap((rating) =>
    ["", "A", "BB"].flatMap((text) =>
      ["2026-10-13", "2026-10-14"].map((day) => ({ ...base, rating, text, date: new Date(day) })),
    ),
  );
  for (const one of rows)
    for (const two of rows)
      for (const three of rows) {
        const file = [one, two, three];
        const stored = new Stored();
        stored.import(file);
        const before = stored.list();
        const again = stored.import(file).filter(({ kind }) => kind !== "unchanged");
        expect([file, again]).toEqual([file, []]);
        expect(stored.list()).toEqual(before);
      }
});
