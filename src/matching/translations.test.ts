import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { addTranslation } from "./translations.ts";

test("a translation changes its two fields of a body and nothing else, byte for byte", () => {
  const draftTexts = fc.record({ before: anyText(), text: fc.string() });
  fc.assert(
    fc.property(draftTexts, fc.string({ unit: "grapheme" }), ({ before, text }, translated) => {
      const draft = (translatedText: string | null, translatedFrom: string | null) => ({
        event: "review.updated",
        review: {
          id: "r",
          text: before.toWellFormed(),
          translatedText,
          translatedFrom,
          author: text,
        },
        change: { headline: text },
      });
      const bytes = (body: unknown) => Buffer.from(JSON.stringify(body), "utf8");
      const composed = addTranslation(bytes(draft(null, null)), { text: translated, from: "es" });
      expect(composed.equals(bytes(draft(translated, "es")))).toBe(true);
    }),
  );
});

test("an event without a review stays as it is", () => {
  const draft = Buffer.from(`{"event":"review.rating_drop","ratingDrop":{"drop":0.2}}`);
  expect(addTranslation(draft, { text: "no", from: "es" })).toBe(draft);
});
