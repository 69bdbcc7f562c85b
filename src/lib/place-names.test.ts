import { expect, test } from "vitest";
import { countryName, languageName } from "./place-names.ts";

test.each([
  ["de", "Germany", "German"],
  ["pt-BR", "pt-BR", "Brazilian Portuguese"],
  ["001", "the world", "001"],
  // Codes of nothing, and texts of imports.
  ["qqq", "qqq", "qqq"],
  ["North pole", "North pole", "North pole"],
  ["", "", ""],
])("%j is the country %s and the language %s", (code, country, language) => {
  expect([countryName(code), languageName(code)]).toEqual([country, language]);
});
