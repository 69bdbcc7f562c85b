// The App Store through App Store Connect: every review of an app that the key's owner sells, of all
// territories in one feed, with the developer's replies. It has no ratings: those are public.
import type { Clock } from "../../../lib/clock.ts";
import { type Delay, systemDelay } from "../../../lib/delay.ts";
import type { Http } from "../../../lib/http.ts";
import {
  foreignCursor,
  noNextPage,
  unexpectedContent,
  unknownOutcome,
} from "../../../stores/response-check.ts";
import type { FetchedPage, Store } from "../../../stores/store.ts";
import { createConnectAnswers } from "./connect-answers.ts";
import { type ConnectClient, createConnectClient } from "./connect-client.ts";
import { type ConnectPage, parseConnectPage } from "./connect-reviews.ts";
import { type ConnectCredential, connectName } from "./connect-token.ts";
import { ConnectVersions } from "./connect-versions.ts";

type AppStoreConnectOptions = {
  http: Http;
  baseUrl: string;
  clock: Clock;
  credential: ConnectCredential;
  /** For what this API does not have: ratings, names, icons, searches. */
  publicStore: Store;
  delay?: Delay;
};

export function createAppStoreConnect(options: AppStoreConnectOptions): Store {
  const { publicStore, delay = systemDelay } = options;
  const client = createConnectClient({ ...options, delay });
  // A client is opened for one app; another one that asks begins anew.
  let versions = new ConnectVersions(client, "");
  const versionsOf = (externalAppId: string): ConnectVersions => {
    if (!versions.isOf(externalAppId)) versions = new ConnectVersions(client, externalAppId);
    return versions;
  };
  return {
    ...publicStore,
    listsAllReviews: true,
    answers: createConnectAnswers(client),
    fetchReviews: ({ externalAppId, cursor }) =>
      fetchReviews(client, { externalAppId, cursor, versions: versionsOf(externalAppId) }),
  };
}

const pageSize = 200;

async function fetchReviews(
  client: ConnectClient,
  request: { externalAppId: string; cursor: string | null; versions: ConnectVersions },
): Promise<FetchedPage> {
  const position = request.cursor === null ? connectStart : parseCursor(request.cursor);
  if (position === null) return foreignCursor;
  const query = new URLSearchParams({
    sort: "-createdDate",
    limit: String(pageSize),
    include: "response",
    "fields[customerReviews]": "rating,title,body,reviewerNickname,createdDate,territory,response",
    "fields[customerReviewResponses]": "responseBody,lastModifiedDate,state",
  });
  if (position.cursor !== null) query.set("cursor", position.cursor);
  const path = `/v1/apps/${encodeURIComponent(request.externalAppId)}/customerReviews?${query}`;
  const response = await client.get(path);
  if (response.kind === "failed") return { ...response.outcome, ...noNextPage };
  const page = parseConnectPage(response.text);
  if (page === null) return { ...unexpectedContent(connectName, "a review page"), ...noNextPage };
  if (position.cursor === null) request.versions.restart();
  const fetched = toFetchedPage(await request.versions.addTo(page), position);
  const { note } = request.versions;
  return note === undefined ? fetched : { ...fetched, note };
}

/** Where a crawl is. `seen`: reviews so far; `total`: as the first page announced. */
type ConnectCursor = { cursor: string | null; seen: number; total: number };

const connectStart: ConnectCursor = { cursor: null, seen: 0, total: 0 };

function toFetchedPage(page: ConnectPage, position: ConnectCursor): FetchedPage {
  const { reviews, rejectedCount, cursor } = page;
  const count = reviews.length + rejectedCount;
  const seen = position.seen + count;
  const total = position.cursor === null ? (page.total ?? 0) : position.total;
  // A cursor that leads to itself would be followed forever.
  const isStuck = cursor !== null && (cursor === position.cursor || count === 0);
  const isEnd = cursor === null || isStuck;
  const isMissing = isMissingMuch(seen, total);
  // Without a count, only a page that is not full shows that there are no more.
  const isDoubtful = total === 0 && count >= pageSize;
  const paging = {
    next: isEnd ? null : formatCursor({ cursor, seen, total }),
    capped: isEnd && (isStuck || isMissing || isDoubtful),
    ...(isEnd && isMissing && { note: `${seen} of ${total} that the store counts came` }),
  };
  if (count > 0) {
    return { outcome: "ok", value: { reviews, rejectedCount, copyMadeAt: null }, ...paging };
  }
  if (position.cursor === null && total > 0) {
    const reason = `${connectName} announced ${total} reviews and sent none`;
    return { ...unknownOutcome(reason), ...paging };
  }
  return { outcome: "empty", ...paging };
}

/** Reviews come and go during a crawl. */
function isMissingMuch(seen: number, total: number): boolean {
  return total - seen > Math.max(5, total * 0.01);
}

function formatCursor({ cursor, seen, total }: ConnectCursor): string {
  return `${seen}/${total}/${cursor ?? ""}`;
}

/** null: not a cursor of this store. */
function parseCursor(text: string): ConnectCursor | null {
  const [, seen, total, cursor] = text.match(/^(\d{1,12})\/(\d{1,12})\/(.+)$/s) ?? [];
  if (cursor === undefined) return null;
  return { cursor, seen: Number(seen), total: Number(total) };
}
