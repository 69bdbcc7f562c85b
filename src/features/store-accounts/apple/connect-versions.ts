// The app version of each review: App Store Connect has it only in lists of reviews by version, which are read
// beside the list of all. Versions that could not be found stay "", as if the store omitted them.

import { keepRecent } from "../../../lib/bounded-map.ts";
import { listAt, parseJson, textAt } from "../../../lib/json.ts";
import { dateOf } from "../../../stores/apple/rss-entry.ts";
import { sourceText, versionMax } from "../../../stores/source-text.ts";
import type { FailedRequest } from "../account-client.ts";
import type { ConnectClient } from "./connect-client.ts";
import { type ConnectPage, parseConnectPage } from "./connect-reviews.ts";

const pageSize = 200;
/** A share of the hourly quota of 3,500 requests; a version that is not reached is read with the next page. */
const requestsPerPageMax = 10;
/** The reviews of one app, at some 60 bytes each; the oldest go. */
const rememberedMax = 100_000;

/** One version, and how far down its list was read. */
type VersionList = {
  id: string;
  name: string;
  createdAt: Date | null;
  cursor: string | null;
  /** Everything newer was read; null before the first page. */
  readDownTo: Date | null;
  isEnd: boolean;
};

export class ConnectVersions {
  readonly #client: ConnectClient;
  readonly #externalAppId: string;
  readonly #versionOf = new Map<string, string>();
  /** The version lists of the running crawl; null until it needs them. */
  #lists: VersionList[] | null = null;
  /** Why they can't be read, in words. */
  note: string | undefined;

  constructor(client: ConnectClient, externalAppId: string) {
    this.#client = client;
    this.#externalAppId = externalAppId;
  }

  isOf(externalAppId: string): boolean {
    return this.#externalAppId === externalAppId;
  }

  /** A new crawl begins at the newest review: so do the lists. */
  restart(): void {
    this.#lists = null;
    this.note = undefined;
  }

  /** The reviews of a page with their versions. */
  async addTo(page: ConnectPage): Promise<ConnectPage> {
    await this.#readDownTo(page);
    const reviews = page.reviews.map((review) => ({
      ...review,
      version: this.#versionOf.get(review.storeReviewId) ?? "",
    }));
    return { ...page, reviews };
  }

  async #readDownTo({ reviews }: ConnectPage): Promise<void> {
    const dates = reviews.flatMap(({ date }) => date ?? []);
    const [newest, oldest] = [dates[0], dates.at(-1)];
    const isMissing = (): boolean =>
      reviews.some(({ storeReviewId }) => !this.#versionOf.has(storeReviewId));
    if (!newest || !oldest || !isMissing()) return;
    this.#lists ??= await this.#fetchLists();
    let requestCount = 0;
    // A version that was made after the newest review has none of them.
    for (const list of this.#lists.filter(({ createdAt }) => !createdAt || createdAt <= newest)) {
      while (!list.isEnd && (list.readDownTo === null || list.readDownTo > oldest)) {
        if (!isMissing() || requestCount === requestsPerPageMax) return;
        requestCount += 1;
        // Without the first list, the rest is of no use today.
        if (!(await this.#readNext(list))) return;
      }
    }
  }

  async #readNext(list: VersionList): Promise<boolean> {
    const query = new URLSearchParams({
      sort: "-createdDate",
      limit: String(pageSize),
      "fields[customerReviews]": "rating,createdDate",
    });
    if (list.cursor !== null) query.set("cursor", list.cursor);
    const path = `/v1/appStoreVersions/${encodeURIComponent(list.id)}/customerReviews?${query}`;
    const response = await this.#client.get(path, { isAside: true });
    if (response.kind === "failed") this.#noteFailure(response);
    const page = response.kind === "ok" ? parseConnectPage(response.text) : null;
    if (page === null) return false;
    for (const { storeReviewId: key } of page.reviews) {
      keepRecent(this.#versionOf, { key, value: list.name, countMax: rememberedMax });
    }
    list.readDownTo = page.reviews.at(-1)?.date ?? list.readDownTo;
    list.isEnd = page.cursor === null || page.cursor === list.cursor || page.reviews.length === 0;
    list.cursor = page.cursor;
    return true;
  }

  #noteFailure({ status, outcome }: FailedRequest): void {
    const why = status === 403 ? "with this key" : `(${outcome.reason})`;
    this.note = `app versions can't be read ${why}`;
  }

  /** Newest first; none where they can't be read. */
  async #fetchLists(): Promise<VersionList[]> {
    const query = new URLSearchParams({
      "fields[appStoreVersions]": "versionString,createdDate",
      limit: String(pageSize),
    });
    const path = `/v1/apps/${encodeURIComponent(this.#externalAppId)}/appStoreVersions?${query}`;
    const response = await this.#client.get(path, { isAside: true });
    if (response.kind === "failed") this.#noteFailure(response);
    const data = response.kind === "ok" ? listAt(parseJson(response.text), "data") : null;
    const lists = (data ?? []).map(parseVersion).filter((list) => list !== null);
    const time = ({ createdAt }: VersionList): number => createdAt?.getTime() ?? 0;
    return lists.sort((one, other) => time(other) - time(one));
  }
}

function parseVersion(item: unknown): VersionList | null {
  const id = textAt(item, "id");
  const name = sourceText(textAt(item, "attributes", "versionString"), versionMax).trim();
  if (id === null || !/^[\w-]{1,100}$/.test(id) || name === "") return null;
  const createdAt = dateOf(textAt(item, "attributes", "createdDate"));
  return { id, name, createdAt, cursor: null, readDownTo: null, isEnd: false };
}
