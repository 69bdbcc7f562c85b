// Parses Apple's search and its lookup by bundle id. The search answers almost any nonsense with
// something, so only apps that have a word of the term count, the ones with most of them first.
import { listAt, numberAt, parseJson, textAt } from "../json-value.ts";
import type { StoreApp } from "../store.ts";
import { isApp, readFacts } from "./lookup-parser.ts";

/** null: no list of results. */
export function parseSearch(text: string, term: string): StoreApp[] | null {
  const results = appResults(text);
  const words = wordsOf(term);
  return (
    results
      ?.map((result) => ({ app: readFacts(result), score: countWords(result, words) }))
      .filter(({ app, score }) => score > 0 && app.name !== "")
      .sort((one, other) => other.score - one.score)
      .map(({ app }) => app) ?? null
  );
}

/** null: no list of results. */
export function parseBundleLookup(text: string, bundleId: string): StoreApp[] | null {
  const wanted = bundleId.toLowerCase();
  return (
    appResults(text)
      ?.filter((result) => textAt(result, "bundleId")?.toLowerCase() === wanted)
      .map(readFacts)
      .filter(({ name }) => name !== "") ?? null
  );
}

function appResults(text: string): unknown[] | null {
  const results = listAt(parseJson(text), "results");
  return results?.filter((result) => isApp(result) && numberAt(result, "trackId") !== null) ?? null;
}

function countWords(result: unknown, words: readonly string[]): number {
  const known = ["trackName", "sellerName", "artistName", "bundleId"]
    .map((key) => plain(textAt(result, key) ?? ""))
    .join(" ");
  const name = plain(textAt(result, "trackName") ?? "");
  // Part of a word will do: not every language writes spaces.
  const count = words.filter((word) => known.includes(word)).length;
  return name === words.join(" ") ? count + 1 : count;
}

const wordsMax = 20;

function wordsOf(term: string): string[] {
  return plain(term)
    .split(/[^\p{L}\p{N}.]+/u)
    .filter((word) => word !== "")
    .slice(0, wordsMax);
}

function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
