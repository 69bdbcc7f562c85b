// The Play Console exports of one app in its owner's bucket: a CSV for each month, read newest first and
// piece by piece. A file that has not changed since it was read is passed over.
import { listAt, parseJson, textAt } from "../../../lib/json.ts";
import { unknownOutcome } from "../../response-check.ts";
import type { Fetched, ReviewPage, UnknownOutcome } from "../../store.ts";
import { type ConsoleExport, parseConsoleCsv } from "./console-csv.ts";
import type { GoogleClient } from "./google-client.ts";

export type ConsoleFile = { name: string; month: string; version: string };

/** Where a crawl is: the month, and how many of its reviews were returned; null for all. */
export type FileCursor = { month: string; offset: number | null };

/** Names of files and the versions of them that were read. */
export type SeenFiles = Map<string, string>;

const storageName = "Cloud Storage";
const permission = "View app information and download bulk reports";
const pageSize = 500;
const listPagesMax = 20;
/** A month of a very large app. The file is a workspace's own: it must not cost the others their memory. */
const fileBytesMax = 64 * 1024 * 1024;

export class ConsoleFiles {
  readonly #client: GoogleClient;
  readonly #baseUrl: string;
  readonly #bucket: string;
  readonly #seen: SeenFiles;
  /** As of the start of a crawl. */
  #listed: { packageName: string; files: ConsoleFile[] } | null = null;
  /** The file that is being read: it is parsed once for all its pages. */
  #open: ({ file: ConsoleFile } & ConsoleExport) | null = null;

  constructor(
    client: GoogleClient,
    options: { storageBaseUrl: string; bucket: string; seen: SeenFiles },
  ) {
    this.#client = client;
    this.#baseUrl = options.storageBaseUrl.replace(/\/+$/, "");
    this.#bucket = encodeURIComponent(options.bucket);
    this.#seen = options.seen;
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
      if (offset === null) this.#seen.set(file.name, file.version);
      if (offset === null || this.#seen.get(file.name) === file.version) continue;
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
    const files: ConsoleFile[] = [];
    let token: string | null = null;
    for (let page = 0; page < listPagesMax; page += 1) {
      const query = new URLSearchParams({ prefix: `reviews/reviews_${packageName}_` });
      if (token !== null) query.set("pageToken", token);
      const url = `${this.#baseUrl}/storage/v1/b/${this.#bucket}/o?${query}`;
      const result = await this.#client.get({ url, store: storageName, permission });
      if (result.kind === "failed") return result.outcome;
      const json = parseJson(result.response.body.toString("utf8"));
      if (typeof json !== "object" || json === null) return oddResponse;
      const items = listAt(json, "items") ?? [];
      files.push(
        ...items.map((item) => parseFileItem(item, packageName)).filter((file) => file !== null),
      );
      token = textAt(json, "nextPageToken");
      if (token === null || token === "") break;
    }
    files.sort((one, other) => (one.month < other.month ? 1 : -1));
    return files;
  }

  async #readFile(file: ConsoleFile, packageName: string): Promise<ConsoleExport | UnknownOutcome> {
    const { name, version } = file;
    const open = this.#open;
    if (open?.file.name === name && open.file.version === version) return open;
    const url = `${this.#baseUrl}/storage/v1/b/${this.#bucket}/o/${encodeURIComponent(name)}?alt=media`;
    let parsed: ConsoleExport | null = null;
    const result = await this.#client.get({
      url,
      store: storageName,
      permission,
      bodyBytesMax: fileBytesMax,
      async readBody(chunks) {
        parsed = await parseConsoleCsv(chunks, packageName);
      },
    });
    if (result.kind === "failed") return result.outcome;
    return this.#openExport(file, parsed);
  }

  #openExport(file: ConsoleFile, parsed: ConsoleExport | null): ConsoleExport | UnknownOutcome {
    if (parsed === null) {
      return unknownOutcome(`${storageName} sent something else than an export of reviews`);
    }
    this.#open = { file, ...parsed };
    return parsed;
  }
}

const oddResponse = unknownOutcome(`${storageName} sent something else than a list of files`);

/** Other packages may begin with the same letters. */
function parseFileItem(item: unknown, packageName: string): ConsoleFile | null {
  const name = textAt(item, "name") ?? "";
  const start = `reviews/reviews_${packageName}_`;
  const month = name.startsWith(start)
    ? name.slice(start.length).match(/^(\d{6})\.csv$/)?.[1]
    : null;
  const version = textAt(item, "md5Hash") ?? textAt(item, "updated");
  return month && version !== null ? { name, month, version } : null;
}
