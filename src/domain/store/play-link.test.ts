import { expect, test } from "vitest";
import { parseReviewLink } from "./play-link.ts";

test.each([
  ["https://play.example/console/review-details?reviewId=abc-1&corpus=PUBLIC", "abc-1"],
  [
    "http://play.example/apps/publish?account=1#ReviewDetailsPlace:p=com.x&reviewid=gp:Ab_1",
    "gp:Ab_1",
  ],
  ["https://play.example/console/review-details?reviewId=", null],
  ["https://play.example/apps/publish#ReviewDetailsPlace:p=com.x", null],
  ["reviewId=abc-1", null],
])("the id of %s is %s", (link, id) => {
  expect(parseReviewLink(link)).toBe(id);
});
