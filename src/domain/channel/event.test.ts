// Which bodies a webhook may carry.
import { expect, test } from "vitest";
import { eventReview } from "./event.ts";

test.each([0, 6, 2.5])("a body with %s stars is refused", (stars) => {
  expect(eventReview.shape.rating.safeParse(stars).success).toBe(false);
});

test.each([1, 5])("a body with %s stars is accepted", (stars) => {
  expect(eventReview.shape.rating.parse(stars)).toBe(stars);
});
