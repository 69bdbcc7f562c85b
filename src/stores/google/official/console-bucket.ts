// The bucket with the Play Console exports of a developer account: files by the beginning of their names, with the
// version of each, so that one which has not changed need not be read again.
import type { HttpRequest } from "../../../lib/http.ts";
import { listAt, parseJson, textAt } from "../../../lib/json.ts";
import { unexpectedContent } from "../../response-check.ts";
import type { UnknownOutcome } from "../../store.ts";
import type { GoogleClient } from "./google-client.ts";

/** `name` is without the prefix by which it was listed. */
export type BucketFile = { path: string; name: string; version: string };

/** Paths of files and the versions of them that were read. */
export type SeenFiles = Map<string, string>;

export const storageName = "Cloud Storage";
const permission = "View app information and download bulk reports";
const listPagesMax = 20;

export class ConsoleBucket {
  readonly #client: GoogleClient;
  readonly #url: string;
  readonly name: string;

  constructor(client: GoogleClient, options: { storageBaseUrl: string; bucket: string }) {
    this.name = options.bucket;
    const baseUrl = options.storageBaseUrl.replace(/\/+$/, "");
    this.#client = client;
    this.#url = `${baseUrl}/storage/v1/b/${encodeURIComponent(options.bucket)}/o`;
  }

  async list(prefix: string): Promise<BucketFile[] | UnknownOutcome> {
    const files: BucketFile[] = [];
    let token: string | null = null;
    for (let page = 0; page < listPagesMax; page += 1) {
      const query = new URLSearchParams({ prefix });
      if (token !== null) query.set("pageToken", token);
      const url = `${this.#url}?${query}`;
      const result = await this.#client.get({ url, store: storageName, permission });
      if (result.kind === "failed") return result.outcome;
      const json = parseJson(result.response.body.toString("utf8"));
      if (typeof json !== "object" || json === null) return oddResponse;
      const items = listAt(json, "items") ?? [];
      files.push(...items.flatMap((item) => parseFileItem(item, prefix) ?? []));
      token = textAt(json, "nextPageToken");
      if (token === null || token === "") break;
    }
    return files;
  }

  /** null when it was read. */
  async read(
    { path }: BucketFile,
    into: { bodyBytesMax: number; readBody: NonNullable<HttpRequest["readBody"]> },
  ): Promise<UnknownOutcome | null> {
    const url = `${this.#url}/${encodeURIComponent(path)}?alt=media`;
    const result = await this.#client.get({ url, store: storageName, permission, ...into });
    return result.kind === "failed" ? result.outcome : null;
  }
}

const oddResponse = unexpectedContent(storageName, "a list of files");

function parseFileItem(item: unknown, prefix: string): BucketFile | null {
  const path = textAt(item, "name") ?? "";
  const version = textAt(item, "md5Hash") ?? textAt(item, "updated");
  if (!path.startsWith(prefix) || version === null) return null;
  return { path, name: path.slice(prefix.length), version };
}
