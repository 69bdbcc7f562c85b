// What an operator is told of the search index.
import type { Database } from "../../database/database.ts";
import type { SearchIndexState } from "../../database/read-models/search-index.ts";

const details: Readonly<Record<SearchIndexState, string>> = {
  none: "none: searches look through the newest 10,000 reviews at a time",
  building: "being made; searches use it as soon as it is complete",
  incomplete:
    "incomplete, so no search uses it, and it costs time: run starpost search-index create again, or drop",
  ready: "used by searches",
};
const ofOtherScript = "語";
const asciiOnly =
  "for words of ASCII letters only, because LC_CTYPE of this database is C; others are looked for as without it";

export async function checkSearchIndex(
  database: Pick<Database, "readSearchIndex" | "isKnownToSearchIndex">,
): Promise<{ check: string; state: "ok" | "warning"; detail: string }> {
  const { state, bytes } = await database.readSearchIndex();
  const size = bytes === 0 ? "" : `; ${(bytes / 1_000_000).toFixed(1)} MB`;
  const isLimited = state === "ready" && !(await database.isKnownToSearchIndex(ofOtherScript));
  return {
    check: "search index",
    state: state === "incomplete" ? "warning" : "ok",
    detail: `${details[state]}${isLimited ? ` ${asciiOnly}` : ""}${size}`,
  };
}
