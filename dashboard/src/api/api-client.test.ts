import { expect, test } from "vitest";
import { routeUrl } from "./api-client.ts";
import { withQuery } from "./http-request.ts";

test("a value of a path can not change the path around it", () => {
  const path = { workspace: "w1", app: "a/../b?c", review: "r 1" };
  expect(routeUrl("GET /workspaces/:workspace/apps/:app/reviews/:review", { path })).toBe(
    "/console/api/workspaces/w1/apps/a%2F..%2Fb%3Fc/reviews/r%201",
  );
});

test("what is undefined or empty is left out of a query, and false is not", () => {
  expect(withQuery("/reviews", { q: "", app: undefined, rating: [] })).toBe("/reviews");
  expect(withQuery("/reviews", { hasText: false })).toBe("/reviews?hasText=false");
  expect(withQuery("/reviews", { q: "a&b", rating: 1 })).toBe("/reviews?q=a%26b&rating=1");
});
