// Ids for rows that have none: of the content that a review keeps, and of the row's number among equal rows of the file. The
// same rows get the same ids in any order, from any format, each time.
import { createHash } from "node:crypto";
import type { App } from "../../../domain/feed/listing.ts";
import { madeIdPrefix, type SourceReview } from "../../../domain/review/review.ts";
import { normalizeForStore } from "../../../ingest/diff-reviews.ts";
import { unreadableFile } from "./import-file.ts";

/** In memory until the end of the file. */
const rowsMax = 500_000;

/** The rows of a file by their content: all are counted first, then each gets its id. */
export class MadeIds {
  readonly #app: Pick<App, "store">;
  /** By content, how many rows there are, and the rest of each of several, which decides their order. */
  readonly #groups = new Map<string, string | string[]>();
  /** For each content with several rows, by their rest, the number that the next row gets. */
  readonly #numbers = new Map<string, Map<string, number>>();
  #rowCount = 0;

  constructor(app: Pick<App, "store">) {
    this.#app = app;
  }

  /** @throws AppError `invalid_input` for too many rows */
  count(review: SourceReview): { isAlike: boolean } {
    this.#rowCount += 1;
    if (this.#rowCount > rowsMax) {
      throw unreadableFile(`ids can be made for at most ${rowsMax} rows; split it by time`);
    }
    const content = this.#hashContent(review);
    const known = this.#groups.get(content);
    const rest = hashRest(review);
    if (Array.isArray(known)) known.push(rest);
    else this.#groups.set(content, known === undefined ? rest : [known, rest]);
    return { isAlike: known !== undefined };
  }

  /** Once for each row that was counted. `number`: among equal rows, from 0 up. */
  name(review: SourceReview): { review: SourceReview; number: number } {
    const content = this.#hashContent(review);
    const number = this.#takeNumber(content, hashRest(review));
    const id = number === 0 ? content : hash(`${content} ${number + 1}`);
    return { review: { ...review, storeReviewId: `${madeIdPrefix}${id}` }, number };
  }

  #takeNumber(content: string, rest: string): number {
    const group = this.#groups.get(content);
    if (!Array.isArray(group)) return 0;
    const numbers = this.#numbers.get(content) ?? new Map<string, number>();
    if (numbers.size === 0) {
      this.#numbers.set(content, numbers);
      for (const [index, one] of group.sort().entries())
        if (!numbers.has(one)) numbers.set(one, index);
    }
    const number = numbers.get(rest) ?? 0;
    numbers.set(rest, number + 1);
    return number;
  }

  #hashContent(review: SourceReview): string {
    return hashContent(normalizeForStore(this.#app, review));
  }
}

/** The id that versions until November 2026 made: of the cells as they are written, the same for different stars. */
export function earlierMadeId({ author, date, text }: Readonly<Record<string, unknown>>): string {
  return `${madeIdPrefix}${hash(JSON.stringify([author ?? "", date ?? "", text ?? ""]))}`;
}

type Content = Pick<SourceReview, "author" | "date" | "title" | "text" | "rating">;

export function hashContent({ author, date, title, text, rating }: Content): string {
  const words = [author, title ?? "", text ?? ""].map(normalize);
  return hash(JSON.stringify([...words, date, rating]));
}

function hashRest({ version, votes, reply, country, languageHint, ...more }: SourceReview): string {
  const { device, osVersion, submittedAt } = more;
  const rest = [version, votes, reply, country, languageHint, device, osVersion, submittedAt];
  return hash(JSON.stringify(rest));
}

/** Formats differ in the ends of lines, and in spaces around a cell. */
function normalize(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}

function hash(content: string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}
