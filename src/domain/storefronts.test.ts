import { expect, test } from "vitest";
import { parseLanguages } from "./languages.ts";
import { parseStorefronts, storefronts } from "./storefronts.ts";

test("there are 175 storefronts, each once, and none is unheard of by the platform", () => {
  expect(new Set(storefronts).size).toBe(175);
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  expect(storefronts.filter((code) => names.of(code.toUpperCase()) === undefined)).toEqual([]);
});

test("storefronts are taken in any case, each once, in the order given", () => {
  expect(parseStorefronts(["US", "gb", " us "])).toEqual({ ok: true, regions: ["us", "gb"] });
});

test("all stands for every storefront", () => {
  expect(parseStorefronts(["all"])).toEqual({ ok: true, regions: storefronts });
});

test.each([
  [["zz", "us"], '"zz"'],
  [["uk"], "the United Kingdom is gb"],
  [[], "at least one"],
])("storefronts %j are refused: %s", (codes, reason) => {
  expect(parseStorefronts(codes)).toMatchObject({ reason: expect.stringContaining(reason) });
});

test("languages are taken with or without a region, in one spelling", () => {
  expect(parseLanguages(["EN", "pt_br", "es-419", "en"])).toEqual({
    ok: true,
    regions: ["en", "pt-BR", "es-419"],
  });
});

test.each([["english"], ["xx"], ["en-"], [""]])("the language %j is refused", (code) => {
  expect(parseLanguages([code]).ok).toBe(false);
});
