import { expect, test } from "vitest";
import { languagesSchema } from "../languages.ts";
import { storefronts, storefrontsSchema } from "./storefronts.ts";

test("there are 175 storefronts, each once, and none is unheard of by the platform", () => {
  expect(new Set(storefronts).size).toBe(175);
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  expect(storefronts.filter((code) => names.of(code.toUpperCase()) === undefined)).toEqual([]);
});

test("storefronts are taken in any case, each once, in the order given", () => {
  expect(storefrontsSchema.parse(["US", "gb", " us "])).toEqual(["us", "gb"]);
});

test("all means every storefront", () => {
  expect(storefrontsSchema.parse(["all"])).toEqual(storefronts);
});

test.each([
  [["zz", "us"], '"zz"'],
  [["uk"], "the United Kingdom is gb"],
  [[], "at least one"],
])("storefronts %j are refused: %s", (codes, reason) => {
  const { error } = storefrontsSchema.safeParse(codes);
  expect(error?.issues).toMatchObject([{ message: expect.stringContaining(reason) }]);
});

test("languages are taken with or without a region, in one spelling", () => {
  const codes = ["EN", "pt_br", "es-419", "en"];
  expect(languagesSchema.parse(codes)).toEqual(["en", "pt-BR", "es-419"]);
});

test.each([["english"], ["xx"], ["en-"], [""]])("the language %j is refused", (code) => {
  expect(languagesSchema.safeParse([code]).success).toBe(false);
});
