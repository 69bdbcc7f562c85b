// The Play Console exports of one app in its owner's bucket: a CSV for each month, read newest first and
// piece by piece. A file that has not changed since it was read is passed over.
import { hourMs, secondMs } from "../../../lib/timestamp.ts";
import { type Budget, OverBudgetError, runApart } from "../../../lib/work-pool.ts";
import { noNextPage, unknownOutcome } from "../../../stores/response-check.ts";
import type { Fetched, ReviewPage, UnknownOutcome } from "../../../stores/store.ts";
import type { BucketFile, ConsoleBucket, SeenFiles } from "./console-bucket.ts";
import {
  type ConsoleExport,
  consoleCsvModule,
  pageSize,
  parseConsolePages,
  readPage,
} from "./console-csv.ts";

/** Where a crawl is: the month, and how many of its reviews were returned; null for all. */
export type FileCursor = { month: string; offset: number | null };

/** A month of a very large app. The file is a workspace's own: it must not cost the others their memory. */
const fileBytesMax = 64 * 1024 * 1024;

/** For a file of the full size, it is enough on a slow machine. */
const busyMsMax = 20 * secondMs;

async function parseApart(
  chunks: AsyncIterable<Uint8Array>,
  { path, packageName, budget }: { path: string; packageName: string; budget: Budget },
): Promise<ConsoleExport | UnknownOutcome | null> {
  const work = { module: consoleCsvModule, run: parseConsolePages };
  try {
    return await runApart(work, [ReadableStream.from(chunks), packageName], budget);
  } catch (error) {
    if (!(error instanceof OverBudgetError)) throw error;
    const outcome = unknownOutcome(`${path} takes too much work to read: ${error.message}`);
    return { ...outcome, retryAfterMs: hourMs, isFinal: true, isOverBudget: true };
  }
}

export class ConsoleFiles {
  readonly #bucket: ConsoleBucket;
  readonly #seen: SeenFiles;
  readonly #budget: Budget;
  /** As of the start of a crawl. */
  #listed: { packageName: string; files: BucketFile[] } | null = null;
  /** The file that is being read: it is parsed once for all its pages. */
  #open: ({ file: BucketFile } & ConsoleExport) | null = null;

  constructor(
    bucket: ConsoleBucket,
    options: { seen: SeenFiles; busyMs?: number | undefined; owner: string },
  ) {
    const { seen, busyMs = busyMsMax, owner } = options;
    this.#bucket = bucket;
    this.#seen = seen;
    this.#budget = { busyMs, owner };
  }

  /**
   * Ends with an empty page: only a caller who comes back for more has saved what was returned, and
   * only then does a file count as seen.
   *
   * @param cursor null begins with the newest month
   */
  async fetchPage(
    packageName: string,
    cursor: FileCursor | null,
  ): Promise<Fetched<ReviewPage> & { next: FileCursor | null; capped: boolean }> {
    if (cursor === null || this.#listed?.packageName !== packageName) {
      const files = await this.#bucket.listMonths(`reviews/reviews_${packageName}_`, ".csv");
      if ("outcome" in files) return { ...files, ...noNextPage };
      this.#listed = { packageName, files };
    }
    let rejectedCount = 0;
    for (const file of this.#listed.files) {
      if (cursor !== null && file.month > cursor.month) continue;
      const offset = cursor?.month === file.month ? cursor.offset : 0;
      if (offset === null) this.#seen.set(file.path, file.version);
      if (offset === null || this.#seen.get(file.path) === file.version) continue;
      const read = await this.#readFile(file, packageName);
      if ("outcome" in read) return { ...read, ...noNextPage };
      const page = read.pages[offset / pageSize];
      if (offset === 0) rejectedCount += read.rejectedCount;
      // A month of ratings without reviews.
      if (page === undefined) continue;
      const reviews = readPage(page);
      const isLastPage = offset / pageSize === read.pages.length - 1;
      const next = { month: file.month, offset: isLastPage ? null : offset + pageSize };
      const value = { reviews, rejectedCount, copyMadeAt: null, isExport: true as const };
      return { outcome: "ok", value, next, capped: false };
    }
    this.#open = null;
    const value = { reviews: [], rejectedCount, copyMadeAt: null };
    return { outcome: "ok", value, ...noNextPage };
  }

  async #readFile(file: BucketFile, packageName: string): Promise<ConsoleExport | UnknownOutcome> {
    const { path, version } = file;
    const open = this.#open;
    if (open?.file.path === path && open.file.version === version) return open;
    const parsed = await this.#bucket.read(file, {
      bodyBytesMax: fileBytesMax,
      expected: "an export of reviews",
      parse: (chunks) => parseApart(chunks, { path, packageName, budget: this.#budget }),
    });
    if (!("outcome" in parsed)) this.#open = { file, ...parsed };
    return parsed;
  }
}
