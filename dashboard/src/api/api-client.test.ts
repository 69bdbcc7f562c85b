import { expect, test } from "vitest";
import { addressOf } from "./api-client.ts";
import { withQuery } from "./http-request.ts";

test("a route's names are filled in and can't break out of the path", () => {
  const path = { workspace: "w1", app: "a/../b?c", review: "r 1" };
  expect(addressOf("GET /workspaces/:workspace/apps/:app/reviews/:review", { path })).toBe(
    "/console/api/workspaces/w1/apps/a%2F..%2Fb%3Fc/reviews/r%201",
  );
});

test("what is not given, empty or off is no part of a query", () => {
  expect(withQuery("/reviews", { q: "", app: undefined, editedOnly: false })).toBe("/reviews");
  expect(withQuery("/reviews", { q: "a&b", rating: 1 })).toBe("/reviews?q=a%26b&rating=1");
});
