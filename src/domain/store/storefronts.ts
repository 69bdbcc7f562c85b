// The 175 App Store storefronts by their ISO 3166-1 codes, and the schema of a choice of them.
import { z } from "zod";
import { listSchema, unique } from "../fields.ts";
import { territories } from "./territories.ts";

export const storefronts: readonly string[] = [...territories.keys()];

/** Codes in any case, each once and in order; `all` means every storefront. */
export const storefrontsSchema = listSchema(z.string({ error: "must be codes of storefronts" }), {
  max: 400,
  error: "must be a list of storefronts",
}).transform((input, context): string[] => {
  const codes = unique(input.map((code) => code.trim().toLowerCase()));
  if (codes.length === 0) context.addIssue("name at least one storefront");
  if (codes.includes("all")) return [...storefronts];
  const unknown = codes.filter((code) => !storefronts.includes(code));
  if (unknown.length > 0) context.addIssue(describeUnknown(unknown));
  return codes;
});

function describeUnknown(unknown: readonly string[]): string {
  const names = unknown.map((code) => JSON.stringify(code.slice(0, 40))).join(", ");
  // The code that people type for the United Kingdom is not its ISO code.
  const hint = unknown.includes("uk") ? "; the United Kingdom is gb" : "";
  return `there is no storefront ${names}${hint}`;
}
