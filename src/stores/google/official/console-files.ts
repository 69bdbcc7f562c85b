// The Play Console exports of one app in its owner's bucket: a CSV for each month, read newest first and
// piece by piece. A file that has not changed since it was read is passed over.
import { listAt, parseJson, textAt } from "../../json-value.ts";
import { unknown } from "../../response-check.ts";
import type { Fetched, ReviewPage, Unknown } from "../../store.ts";
import { type ConsoleReviews, parseConsoleCsv } from "./console-csv.ts";
import type { GoogleClient } from "./google-client.ts";

export type ConsoleFile = { name: string; month: string; version: string };

/** Where reading stands: the month, and how many of its reviews were handed out; null for all. */
export type FilePlace = { month: string; offset: number | null };

/** Names of files and the versions of them that were read. */
export type SeenFiles = Map<string, string>;

const storageName = "Cloud Storage";
const permission = "View app information and download bulk reports";
const pageSize = 500;
const listPagesMax = 20;
/** A month of a very large app. */
const fileBytesMax = 256 * 1024 * 1024;

export class ConsoleFiles {
  readonly #client: GoogleClient;
  readonly #baseUrl: string;
  readonly #bucket: string;
  readonly #seen: SeenFiles;
  /** As of the start of a walk. */
  #listed: { packageName: string; files: ConsoleFile[] } | null = null;
  /** The file that is being read: its pages need it once. */
  #open: ({ file: ConsoleFile } & ConsoleReviews) | null = null;

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
   * Ends with a page of nothing: only who comes back for more has kept what was handed out, and only
   * then is a file one that was read.
   *
   * @param place null begins with the newest month
   */
  async fetchPage(
    packageName: string,
    place: FilePlace | null,
  ): Promise<Fetched<ReviewPage> & { next: FilePlace | null; truncated: boolean }> {
    const end = { next: null, truncated: false };
    if (place === null || this.#listed?.packageName !== packageName) {
      const files = await this.#list(packageName);
      if ("outcome" in files) return { ...files, ...end };
      this.#listed = { packageName, files };
    }
    let rejectedCount = 0;
    for (const file of this.#listed.files) {
      if (place !== null && file.month > place.month) continue;
      const offset = place?.month === file.month ? place.offset : 0;
      if (offset === null) this.#seen.set(file.name, file.version);
      if (offset === null || this.#seen.get(file.name) === file.version) continue;
      const opened = await this.#openFile(file, packageName);
      if ("outcome" in opened) return { ...opened, ...end };
      const reviews = opened.reviews.slice(offset, offset + pageSize);
      if (offset === 0) rejectedCount += opened.rejectedCount;
      // Stars alone: nothing of this month is handed out.
      if (reviews.length === 0) continue;
      const isWhole = offset + pageSize >= opened.reviews.length;
      const next = { month: file.month, offset: isWhole ? null : offset + pageSize };
      const value = { reviews, rejectedCount, copyMadeAt: null };
      return { outcome: "ok", value, next, truncated: false };
    }
    this.#open = null;
    return { outcome: "ok", value: { reviews: [], rejectedCount, copyMadeAt: null }, ...end };
  }

  /** Newest month first. */
  async #list(packageName: string): Promise<ConsoleFile[] | Unknown> {
    const files: ConsoleFile[] = [];
    let token: string | null = null;
    for (let page = 0; page < listPagesMax; page += 1) {
      const query = new URLSearchParams({ prefix: `reviews/reviews_${packageName}_` });
      if (token !== null) query.set("pageToken", token);
      const url = `${this.#baseUrl}/storage/v1/b/${this.#bucket}/o?${query}`;
      const asked = await this.#client.get({ url, store: storageName, permission });
      if (asked.kind === "refused") return asked.unknown;
      const json = parseJson(asked.answer.body.toString("utf8"));
      if (typeof json !== "object" || json === null) return oddAnswer;
      const items = listAt(json, "items") ?? [];
      files.push(
        ...items.map((item) => readFile(item, packageName)).filter((file) => file !== null),
      );
      token = textAt(json, "nextPageToken");
      if (token === null || token === "") break;
    }
    files.sort((one, other) => (one.month < other.month ? 1 : -1));
    return files;
  }

  async #openFile(file: ConsoleFile, packageName: string): Promise<ConsoleReviews | Unknown> {
    const { name, version } = file;
    const open = this.#open;
    if (open?.file.name === name && open.file.version === version) return open;
    const url = `${this.#baseUrl}/storage/v1/b/${this.#bucket}/o/${encodeURIComponent(name)}?alt=media`;
    const asked = await this.#client.get({
      url,
      store: storageName,
      permission,
      bodyBytesMax: fileBytesMax,
    });
    if (asked.kind === "refused") return asked.unknown;
    const parsed = await parseConsoleCsv(asked.answer.body, packageName);
    if (parsed === null) return unknown(`${storageName} sent something else than an export`);
    this.#open = { file, ...parsed };
    return parsed;
  }
}

const oddAnswer = unknown(`${storageName} sent something else than a list of files`);

/** Other packages may begin with the same letters. */
function readFile(item: unknown, packageName: string): ConsoleFile | null {
  const name = textAt(item, "name") ?? "";
  const start = `reviews/reviews_${packageName}_`;
  const month = name.startsWith(start)
    ? name.slice(start.length).match(/^(\d{6})\.csv$/)?.[1]
    : null;
  const version = textAt(item, "md5Hash") ?? textAt(item, "updated");
  return month && version !== null ? { name, month, version } : null;
}
