// The bucket with the Play Console exports of a developer account: files by the beginning of their names, with the
// version of each, so that one which has not changed need not be read again.
import { listAt, parseJson, textAt, valueAt } from "../../../lib/json.ts";
import { unexpectedContent } from "../../../stores/response-check.ts";
import type { UnknownOutcome } from "../../../stores/store.ts";
import type { AccountClient, AccountResponse } from "../account-client.ts";
import { googleWords } from "./google-client.ts";

/** A file of one month, like `202610`. */
export type BucketFile = { path: string; month: string; version: string };

/** Paths of files and the versions of them that were read. */
export type SeenFiles = Map<string, string>;

const storageName = "Cloud Storage";
const words = googleWords({
  name: storageName,
  permission: "View app information and download bulk reports",
});
const listPagesMax = 20;

export class ConsoleBucket {
  readonly #client: AccountClient;
  readonly #url: string;
  readonly name: string;

  constructor(client: AccountClient, options: { storageBaseUrl: string; bucket: string }) {
    this.name = options.bucket;
    const baseUrl = options.storageBaseUrl;
    this.#client = client;
    this.#url = `${baseUrl}/storage/v1/b/${encodeURIComponent(options.bucket)}/o`;
  }

  get #missing(): string {
    const other = this.name.startsWith("pubsite_prod_rev_")
      ? this.name.replace("pubsite_prod_rev_", "pubsite_prod_")
      : this.name.replace("pubsite_prod_", "pubsite_prod_rev_");
    return `${storageName} has no bucket ${this.name}. Some accounts have ${other} instead; Play Console shows the name under "Download reports", at "Copy Cloud Storage URI"`;
  }

  /** Why the bucket can't be read, in words. null: it exists, or nothing is known of it. */
  async findFault(): Promise<string | null> {
    const result = await this.#client.get({ url: `${this.#url}?maxResults=1`, words });
    return isMissing(result) ? this.#missing : null;
  }

  /** The files with nothing but a month between prefix and suffix, the newest first. */
  async listMonths(prefix: string, suffix: string): Promise<BucketFile[] | UnknownOutcome> {
    const files: BucketFile[] = [];
    let token: string | null = null;
    for (let page = 0; page < listPagesMax; page += 1) {
      const query = new URLSearchParams({ prefix });
      if (token !== null) query.set("pageToken", token);
      const url = `${this.#url}?${query}`;
      const result = await this.#client.get({ url, words });
      if (result.kind === "failed") {
        return isMissing(result) ? { ...result.outcome, reason: this.#missing } : result.outcome;
      }
      const json = parseJson(result.text);
      if (typeof json !== "object" || json === null || valueAt(json, "error") !== null) {
        return oddResponse;
      }
      const items = listAt(json, "items") ?? [];
      files.push(...items.flatMap((item) => parseFileItem(item, { prefix, suffix }) ?? []));
      token = textAt(json, "nextPageToken");
      if (token === null || token === "") break;
    }
    return files.sort((one, other) => (one.month < other.month ? 1 : -1));
  }

  /** `parse`: null for something else than `expected`. */
  async read<T>(
    { path }: BucketFile,
    reading: {
      bodyBytesMax: number;
      expected: string;
      parse: (chunks: AsyncIterable<Uint8Array>) => Promise<T | null>;
    },
  ): Promise<T | UnknownOutcome> {
    const { bodyBytesMax, expected, parse } = reading;
    const url = `${this.#url}/${encodeURIComponent(path)}?alt=media`;
    const parsed: { value: T | null } = { value: null };
    const readBody = async (chunks: AsyncIterable<Uint8Array>): Promise<void> => {
      parsed.value = await parse(chunks);
    };
    const result = await this.#client.get({ url, words, bodyBytesMax, readBody });
    if (result.kind === "failed") return result.outcome;
    return parsed.value ?? unexpectedContent(storageName, expected);
  }
}

function isMissing(result: AccountResponse): boolean {
  return result.kind === "failed" && result.status === 404;
}

const oddResponse = unexpectedContent(storageName, "a list of files");

function parseFileItem(
  item: unknown,
  { prefix, suffix }: { prefix: string; suffix: string },
): BucketFile | null {
  const path = textAt(item, "name") ?? "";
  const version = textAt(item, "md5Hash") ?? textAt(item, "updated");
  if (!path.startsWith(prefix) || !path.endsWith(suffix) || version === null) return null;
  // Other packages may begin with the same letters, and other files have parts of the app.
  const month = path.slice(prefix.length, -suffix.length);
  return /^\d{6}$/.test(month) ? { path, month, version } : null;
}
