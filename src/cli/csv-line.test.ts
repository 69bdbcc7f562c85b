import { expect, test } from "vitest";
import { formatReviewLine } from "../features/exports/commands.ts";

const review: Parameters<typeof formatReviewLine>[0] = {
  id: "r1",
  storeId: "7",
  store: "appstore",
  externalAppId: "4242",
  author: "=cmd|' /C calc'!A0",
  rating: 1,
  title: "@SUM(1)",
  text: "-1",
  translatedText: null,
  translatedFrom: null,
  version: "1",
  country: "us",
  date: "2026-11-20T00:00:00Z",
  sentiment: { label: "negative", score: -0.5 },
  topics: [],
  topicScores: null,
  ...{ ownTopics: [], languageHint: null, analysisVersion: 1, analysisProvider: null, votes: null },
  ...{ firstSeenAt: "2026-11-20T01:00:00Z", editedAt: null, isDateAssumed: false, isListed: false },
  ...{ device: null, osVersion: null, submittedAt: null, removedAt: null },
  ...{ replyText: null, replyDate: null },
  language: "en",
  clauseMin: -0.5,
  clauseMax: -0.5,
  versions: [],
};

test("an exported review runs nothing in a spreadsheet, and its numbers stay numbers", () => {
  const line = formatReviewLine(review, false);
  expect(line).toContain(",'=cmd|' /C calc'!A0,1,'@SUM(1),'-1,");
  expect(line).toContain(",negative,-0.5,");
});

test("raw cells are what was stored", () => {
  expect(formatReviewLine(review, true)).toContain(",=cmd|' /C calc'!A0,1,@SUM(1),-1,");
});
