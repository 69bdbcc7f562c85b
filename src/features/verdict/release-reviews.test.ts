// How reviews become observations of a release or of its past: late, edited and removed ones, those without a version,
// campaigns and seasons.
import { describe, expect, test } from "vitest";
import { addDays } from "../../lib/timestamp.ts";
import { markOf } from "./judge/questions.ts";
import { chooseReviews, listWritings, type Release } from "./release-reviews.ts";
import type { VerdictReviewRow } from "./sql.ts";

const firstDay = "2026-11-01";
const release: Release = { version: "2.0", firstDay, nextDay: null, laterVersions: [] };
const on = (days: number, hour = 9): Date =>
  new Date(`${addDays(firstDay, days)}T${String(hour).padStart(2, "0")}:00:00Z`);

let rowCount = 0;
function aRow(overrides: Partial<VerdictReviewRow> & { date: Date }): VerdictReviewRow {
  rowCount += 1;
  return {
    ...{ listingId: "listing", id: `review ${rowCount}`, region: "us", languageHint: null },
    ...{ firstSeenAt: overrides.date, earlier: null },
    ...{ rating: 5, sentiment: "positive", topics: [], topicScores: [] },
    version: overrides.date < on(0, 0) ? "1.0" : "2.0",
    ...overrides,
  };
}

const perDay = (count: number, days: readonly number[], version?: string) =>
  days.flatMap((day) =>
    Array.from({ length: count }, () => aRow({ date: on(day), ...(version && { version }) })),
  );
const daysFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index);

const baselineAt = on(-300);
const choose = async (rows: readonly VerdictReviewRow[], of: Release = release) =>
  chooseReviews(of, await listWritings(rows, () => baselineAt));
const ids = (reviews: readonly { id: string }[] | undefined) => (reviews ?? []).map(({ id }) => id);

const notAnalysed = { sentiment: null, topics: null, topicScores: null };

describe("reviews of the release", () => {
  test("are in the order of their arrival, so that a late one changes nothing before it", async () => {
    const late = aRow({ date: on(0), firstSeenAt: on(5) });
    const prompt = [aRow({ date: on(1) }), aRow({ date: on(3) })];
    expect(ids((await choose([late, ...prompt])).reviews)).toEqual(ids([...prompt, late]));
  });

  test("of a backfill are in the order of their dates, though all arrived at once", async () => {
    const [first, second] = [aRow({ date: on(1) }), aRow({ date: on(2) })];
    first.firstSeenAt = on(20);
    second.firstSeenAt = on(19);
    const writings = await listWritings([second, first], () => on(21));
    expect(ids(chooseReviews(release, writings).reviews)).toEqual(ids([first, second]));
    expect(writings.map((one) => one.arrivedAt)).toEqual([first.date, second.date]);
  });

  test("are those that name it, and those without a version until the next release", async () => {
    const named = aRow({ date: on(1) });
    const other = aRow({ date: on(1), version: "1.0" });
    const without = [aRow({ date: on(2), version: "" }), aRow({ date: on(6), version: "" })];
    const next = { ...release, nextDay: addDays(firstDay, 5) };
    const rows = [named, other, ...without];
    expect(ids((await choose(rows)).reviews)).toEqual(ids([named, ...without]));
    const { reviews } = await choose(rows, next);
    expect(reviews.map(({ stratum }) => stratum)).toEqual(["us", "us without a version"]);
  });

  test("end after four weeks", async () => {
    expect((await choose(perDay(1, [27, 28]))).reviews).toHaveLength(1);
  });
});

describe("the past", () => {
  test("is the twelve weeks before, without what arrived only after the release began", async () => {
    const rows = [aRow({ date: on(-1), firstSeenAt: on(2) }), ...perDay(1, [-85, -84, -1, 0])];
    const { pasts } = await choose(rows);
    expect(pasts.map(ids)).toEqual([ids(rows.slice(2, 4))]);
  });

  test("keeps an edited review as it was, and counts the edit on its own day", async () => {
    const before = {
      rating: 1,
      title: null,
      text: "It crashes at every start, unusable.",
      version: "1.0",
      ...notAnalysed,
    };
    const edited = aRow({
      ...{ date: on(3), firstSeenAt: on(-10) },
      earlier: [{ ...before, date: on(-10).toISOString(), replacedAt: on(3).toISOString() }],
    });
    const { pasts, reviews } = await choose([edited]);
    const angry = markOf("negative") | markOf("low_stars") | markOf("crash");
    expect(pasts[0]?.map(({ id, marks }) => [id, marks & angry])).toEqual([[edited.id, angry]]);
    expect(reviews.map(({ id, marks }) => [id, marks])).toEqual([[edited.id, 0]]);
  });

  test("counts a review that was edited twice in the same weeks once", async () => {
    const date = on(1).toISOString();
    const state = { rating: 1, title: null, text: "", version: "2.0", date, ...notAnalysed };
    const edited = aRow({
      ...{ date: on(3), firstSeenAt: on(1) },
      earlier: [{ ...state, replacedAt: on(3).toISOString() }],
    });
    expect((await choose([edited])).reviews.map(({ marks }) => marks)).toEqual([
      markOf("low_stars"),
    ]);
  });

  test("leaves out days on which reviews were asked for", async () => {
    const usual = perDay(3, daysFrom(-30, 30));
    const campaign = perDay(40, [-12]);
    const { pasts } = await choose([...usual, ...campaign]);
    expect(pasts[0]).toHaveLength(3 * 29);
    expect((await choose(usual)).pasts[0]).toHaveLength(3 * 30);
  });

  test("has the same weeks of the year before as a second past where they have enough reviews", async () => {
    const usual = perDay(3, daysFrom(-30, 30));
    const lastYear = perDay(3, daysFrom(-364, 28), "0.9");
    const weeksBefore = perDay(2, daysFrom(-364 - 20, 6), "0.9");
    const { pasts } = await choose([...usual, ...lastYear, ...weeksBefore]);
    expect(ids(pasts[1])).toEqual(ids(lastYear));
    expect((await choose([...usual, ...lastYear.slice(0, 50)])).pasts).toHaveLength(1);
  });
});

test("a release with a day on which reviews were asked for is marked", async () => {
  const usual = perDay(3, daysFrom(-30, 30));
  expect((await choose([...usual, ...perDay(9, [1])])).hasCampaign).toBe(false);
  expect((await choose([...usual, ...perDay(40, [1])])).hasCampaign).toBe(true);
});

test("an analysis without opinions on topics has one on the whole review", async () => {
  const rows = (["negative", "positive"] as const).map((sentiment) =>
    aRow({ date: on(1), sentiment, topics: ["crash", "praise"], topicScores: null }),
  );
  const { reviews } = await choose(rows);
  expect(reviews.map(({ marks }) => marks)).toEqual([markOf("negative") | markOf("crash"), 0]);
});
