import { expect, test } from "vitest";
import type { Overview } from "../../../../src/dashboard-api/contract/overview.ts";
import { overviewCsv } from "./overview-csv.ts";

const opinions = { good: 0, bad: 0, starsLost: 0 };
const sentiment = { positive: 1, neutral: 0, mixed: 0, negative: 2 };
const reviews = {
  total: 3,
  stars: [2, 0, 0, 0, 1] as [number, number, number, number, number],
  averageRating: 2.33,
  analyzed: 3,
  sentiment,
};
const range = { from: "2026-10-01", to: "2026-10-31" };
const overview: Overview = {
  ...{
    range,
    before: range,
    firstReviewDay: null,
    coveredSince: null,
    reviews,
    reviewsBefore: reviews,
  },
  apps: [
    {
      ...{ appId: "a", name: '=1+1, "x"', store: "appstore", rating: null, ratingDays: [] },
      reviews,
    },
  ],
  weeks: [],
  topicWeeks: [],
  topics: [{ topic: "crash", count: 3, sentiment, negativeBefore: 0, opinions }],
  regions: [],
  releases: [],
  versions: [],
};

test("each row has the same columns, and no name is run as a formula", () => {
  const [header = "", total, app, topic, end] = overviewCsv(overview).split("\r\n");
  expect(total).toBe("total,,2026-10-01,2026-10-31,3,2.33,2,0,0,0,1,1,0,0,2");
  expect(app).toBe('app,"\'=1+1, ""x"" (appstore)",2026-10-01,2026-10-31,3,2.33,2,0,0,0,1,1,0,0,2');
  expect(topic?.split(",")).toHaveLength(header.split(",").length);
  expect(end).toBe("");
});
