import { expect, test } from "vitest";
import type { Reply } from "../../../../src/features/replies/contract.ts";
import { basisOf, readBox } from "./reply-text.ts";

const review = { date: "2026-03-01T00:00:00.000Z" };
const reply: Reply = {
  ...{ id: "r1", app: "a1", state: "unanswered", reason: null, draft: null, text: null },
  ...{ author: null, sentAt: null, publishedAt: null, publicText: null, publicAt: null },
  ...{ fault: null, charactersMax: 350, canWithdraw: false, version: 3, canCompose: false },
  fields: { author: "Ada", app: "Lantern Log", version: "4.3" },
};
const drafted: Reply = { ...reply, state: "draft", draft: "Of a colleague", version: 4 };

test("an untouched box follows what the service keeps, the text together with its version", () => {
  expect(readBox(reply, review, null)).toMatchObject({ text: "", basis: { version: 3 } });
  expect(readBox(drafted, review, null)).toMatchObject({
    text: "Of a colleague",
    basis: { version: 4 },
    isBehind: false,
  });
});

const entered = { text: "Mine", basis: basisOf(reply, review) };

test("an entered text stays with the version that it was begun with", () => {
  expect(readBox(reply, review, entered)).toEqual({ ...entered, isBehind: false });
  expect(readBox(drafted, review, entered)).toEqual({ ...entered, isBehind: true });
});

test.each([
  ["the public answer", { ...reply, publicText: "Thanks" }, review],
  ["the review", reply, { date: "2026-03-02T00:00:00.000Z" }],
])("and with %s", (_, now, reviewNow) => {
  expect(readBox(now, reviewNow, entered)).toEqual({ ...entered, isBehind: true });
});

test("a text that was emptied does not bring back the draft", () => {
  const emptied = { text: "", basis: basisOf(drafted, review) };
  expect(readBox(drafted, review, emptied)).toEqual({ ...emptied, isBehind: false });
});

test.each<[string, Partial<Reply>, string]>([
  ["a refused answer", { state: "refused", text: "Sent" }, "Sent"],
  ["a published one", { state: "published", text: "Sent", publicText: "Sent" }, ""],
  ["a withdrawn one", { state: "withdrawn", text: "Sent" }, ""],
  ["a draft after an answer", { state: "published", text: "Sent", draft: "Next" }, "Next"],
])("the box begins after %s with what was not sent", (_, changes, text) => {
  expect(readBox({ ...reply, ...changes }, review, null).text).toBe(text);
});
