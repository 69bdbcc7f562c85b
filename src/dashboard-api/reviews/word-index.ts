// Whether the search index answers for the words of a search. It gives each review that has all of their trigrams, three
// letters in a row, and each of these must be read. The newest reviews say how frequent that is: where it is not rare,
// looking through the newest finds enough, or takes less time.
import type { Database } from "../../database/database.ts";
import type { ReviewPosition } from "../../database/read-models/review-pages.ts";
import type { SearchFilters } from "../../database/read-models/search-filters-sql.ts";

/** More reviews than this with the words are too many to be read for a page. */
export const indexedMax = 20_000;

const sampleCount = 500;
/** Of the sample. Of a million reviews this is half of `indexedMax`. */
const rareMax = 5;

export async function isAnsweredByIndex(
  database: Pick<Database, "readSearchIndex" | "isKnownToSearchIndex" | "countNewestWithAll">,
  { filters, after }: { filters: SearchFilters; after: ReviewPosition | null },
): Promise<boolean> {
  const ascii = findTrigrams(filters.words, asciiWord);
  const trigrams = ascii ?? findTrigrams(filters.words, anyWord);
  if (trigrams === null || (await database.readSearchIndex()).state !== "ready") return false;
  // Not every PostgreSQL takes other letters for such.
  const others = trigrams.join("").replace(/\p{ASCII}/gu, "");
  if (ascii === null && !(await database.isKnownToSearchIndex(others))) return false;
  const sample = { filters, after, scanMax: sampleCount, texts: trigrams };
  return (await database.countNewestWithAll(sample)) <= rareMax;
}

const asciiWord = /[a-z0-9]{3,}/g;
const anyWord = /[\p{L}\p{N}]{3,}/gu;

/** Of the first of the spellings; null where one of them has none. */
function findTrigrams(spellings: readonly string[], word: RegExp): string[] | null {
  const [trigrams, ...others] = spellings.map((spelling) =>
    [...spelling.toLowerCase().matchAll(word)].flatMap(([letters]) => listTrigrams(letters)),
  );
  if (!trigrams?.length || others.some(({ length }) => length === 0)) return null;
  return [...new Set(trigrams)];
}

function listTrigrams(word: string): string[] {
  const letters = [...word];
  return letters.slice(2).map((_, index) => letters.slice(index, index + 3).join(""));
}
