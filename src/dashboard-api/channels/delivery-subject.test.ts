import { expect, test } from "vitest";
import { readSubject } from "./delivery-routes.ts";

const app = { id: "a1", name: "Tidepool", store: "appstore" };
const review = { rating: 1, title: "Abofalle", text: "Gekündigt.", country: "de" };
const read = (body: object) => readSubject(Buffer.from(JSON.stringify(body)));

test("the log shows the review as it was sent", () => {
  expect(read({ event: "review.created", app, review })).toEqual({
    appName: "Tidepool",
    review: { rating: 1, headline: "Abofalle", country: "de" },
  });
});

test("a review without a title is shown by its text", () => {
  const found = read({ app, review: { ...review, title: null } });
  expect(found?.review?.headline).toBe("Gekündigt.");
});

test("a rating drop has its app, and a digest of several apps nothing", () => {
  expect(read({ app, ratingDrop: {} })).toEqual({ appName: "Tidepool", review: null });
  expect(read({ event: "digest", apps: [app] })).toBeNull();
});

test.each([[undefined], [Buffer.from("not JSON")]])(
  "a payload of another form has none",
  (body) => {
    expect(readSubject(body)).toBeNull();
  },
);
