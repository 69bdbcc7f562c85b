// The Play Console exports of one app in its owner's bucket: a CSV for each month, read newest first and
// piece by piece. A file that has not changed since it was read is passed over.
import { unknownOutcome } from "../../response-check.ts";
import type { Fetched, ReviewPage, UnknownOutcome } from "../../store.ts";
import {
  type BucketFile,
  type ConsoleBucket,
  type SeenFiles,
  storageName,
} from "./console-bucket.ts";
import { type ConsoleExport, parseConsoleCsv } from "./console-csv.ts";

type ConsoleFile = BucketFile & { month: string };

/** Where a crawl is: the month, and how many of its reviews were returned; null for all. */
export type FileCursor = { month: string; offset: number | null };

const pageSize = 500;
/** A month of a very large app. The file is a workspace's own: it must not cost the others their memory. */
const fileBytesMax = 64 * 1024 * 1024;

export class ConsoleFiles {
  readonly #bucket: ConsoleBucket;
  readonly #seen: SeenFiles;
  /** As of the start of a crawl. */
  #listed: { packageName: string; files: ConsoleFile[] } | null = null;
  /** The file that is being read: it is parsed once for all its pages. */
  #open: ({ file: ConsoleFile } & ConsoleExport) | null = null;

  constructor(bucket: ConsoleBucket, seen: SeenFiles) {
    this.#bucket = bucket;
    this.#seen = seen;
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
    const end = { next: null, capped: false };
    if (cursor === null || this.#listed?.packageName !== packageName) {
      const files = await this.#list(packageName);
      if ("outcome" in files) return { ...files, ...end };
      this.#listed = { packageName, files };
    }
    let rejectedCount = 0;
    for (const file of this.#listed.files) {
      if (cursor !== null && file.month > cursor.month) continue;
      const offset = cursor?.month === file.month ? cursor.offset : 0;
      if (offset === null) this.#seen.set(file.path, file.version);
      if (offset === null || this.#seen.get(file.path) === file.version) continue;
      const read = await this.#readFile(file, packageName);
      if ("outcome" in read) return { ...read, ...end };
      const reviews = read.reviews.slice(offset, offset + pageSize);
      if (offset === 0) rejectedCount += read.rejectedCount;
      // A month of ratings without reviews.
      if (reviews.length === 0) continue;
      const isLastPage = offset + pageSize >= read.reviews.length;
      const next = { month: file.month, offset: isLastPage ? null : offset + pageSize };
      const value = { reviews, rejectedCount, copyMadeAt: null };
      return { outcome: "ok", value, next, capped: false };
    }
    this.#open = null;
    return { outcome: "ok", value: { reviews: [], rejectedCount, copyMadeAt: null }, ...end };
  }

  /** Newest month first. */
  async #list(packageName: string): Promise<ConsoleFile[] | UnknownOutcome> {
    const listed = await this.#bucket.list(`reviews/reviews_${packageName}_`);
    if ("outcome" in listed) return listed;
    return listed
      .flatMap((file) => {
        // Other packages may begin with the same letters.
        const month = file.name.match(/^(\d{6})\.csv$/)?.[1];
        return month === undefined ? [] : { ...file, month };
      })
      .sort((one, other) => (one.month < other.month ? 1 : -1));
  }

  async #readFile(file: ConsoleFile, packageName: string): Promise<ConsoleExport | UnknownOutcome> {
    const { path, version } = file;
    const open = this.#open;
    if (open?.file.path === path && open.file.version === version) return open;
    let parsed: ConsoleExport | null = null;
    const failure = await this.#bucket.read(file, {
      bodyBytesMax: fileBytesMax,
      async readBody(chunks) {
        parsed = await parseConsoleCsv(chunks, packageName);
      },
    });
    return failure ?? this.#openExport(file, parsed);
  }

  #openExport(file: ConsoleFile, parsed: ConsoleExport | null): ConsoleExport | UnknownOutcome {
    if (parsed === null) {
      return unknownOutcome(`${storageName} sent something else than an export of reviews`);
    }
    this.#open = { file, ...parsed };
    return parsed;
  }
}
