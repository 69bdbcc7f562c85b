import { expect, test } from "vitest";
import { countFilters, type FeedFilters, readFilters, reviewsPath } from "./filters.ts";

const all: FeedFilters = {
  app: "a1",
  store: "googleplay",
  from: "2026-01-01",
  to: "2026-02-01",
  rating: [1, 2],
  sentiment: "mixed",
  topic: "crashes & bugs",
  country: "de",
  language: "de",
  version: "4.0+1",
  q: "größe 50%",
  edited: true,
  hasReply: false,
};

test("filters are written to the URL and read back unchanged", () => {
  const search = new URLSearchParams(reviewsPath(all).split("?")[1]);
  expect(readFilters(search)).toEqual(all);
  expect(countFilters(all)).toBe(13);
});

test("without filters the query is empty, and unknown parameters are ignored", () => {
  expect(reviewsPath({})).toBe("/reviews");
  expect(readFilters(new URLSearchParams("rating=&edited=yes&page=3"))).toEqual({});
});
