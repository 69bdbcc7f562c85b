// The App Store through App Store Connect: every review of an app that the key's owner sells, of all
// territories in one feed, with the developer's replies. It tells no ratings: those are public.
import type { Clock } from "../../../lib/clock.ts";
import { type Delay, systemDelay } from "../../../lib/delay.ts";
import type { Http } from "../../../lib/http.ts";
import { unknown } from "../../response-check.ts";
import type { Fetched, FetchedPage, Store, StoreApp } from "../../store.ts";
import { listApps } from "./connect-apps.ts";
import { ConnectClient, connectName } from "./connect-client.ts";
import { type ConnectPage, parseConnectPage } from "./connect-reviews.ts";
import type { ConnectCredential } from "./connect-token.ts";

export type AppStoreConnectOptions = {
  http: Http;
  baseUrl: string;
  clock: Clock;
  credential: ConnectCredential;
  /** Answers what this API does not tell: ratings, names, icons, searches. */
  publicStore: Store;
  delay?: Delay;
};

export type AppStoreConnect = Store & {
  /** Apps that the key may see; the proof that it works. */
  listApps(): Promise<Fetched<StoreApp[]>>;
};

/** The one feed of an app: reviews of all territories. */
export const allRegions = "all";

export function openAppStoreConnect(options: AppStoreConnectOptions): AppStoreConnect {
  const { publicStore, delay = systemDelay } = options;
  const client = new ConnectClient({ ...options, delay });
  return {
    ...publicStore,
    fetchReviews: ({ externalAppId, cursor }) => fetchReviews(client, { externalAppId, cursor }),
    listApps: () => listApps(client),
  };
}

const pageSize = 200;

async function fetchReviews(
  client: ConnectClient,
  asked: { externalAppId: string; cursor: string | null },
): Promise<FetchedPage> {
  const end = { next: null, truncated: false };
  const walk = asked.cursor === null ? walkStart : readCursor(asked.cursor);
  if (walk === null) return { ...unknown("the cursor is not one of this store's"), ...end };
  const query = new URLSearchParams({
    sort: "-createdDate",
    limit: String(pageSize),
    include: "response",
    "fields[customerReviews]": "rating,title,body,reviewerNickname,createdDate,territory,response",
    "fields[customerReviewResponses]": "responseBody,lastModifiedDate,state",
  });
  if (walk.cursor !== null) query.set("cursor", walk.cursor);
  const path = `/v1/apps/${encodeURIComponent(asked.externalAppId)}/customerReviews?${query}`;
  const answer = await client.get(path);
  if (answer.kind === "refused") return { ...answer.unknown, ...end };
  const page = parseConnectPage(answer.text);
  if (page === null) {
    return { ...unknown(`${connectName} sent something else than a page of reviews`), ...end };
  }
  return conclude(page, walk);
}

/** `seen` and `total`: what came so far, and what the first page promised. */
type Walk = { cursor: string | null; seen: number; total: number };

const walkStart: Walk = { cursor: null, seen: 0, total: 0 };

function conclude(page: ConnectPage, walk: Walk): FetchedPage {
  const { reviews, rejectedCount, cursor } = page;
  const count = reviews.length + rejectedCount;
  const seen = walk.seen + count;
  const total = walk.cursor === null ? (page.total ?? 0) : walk.total;
  // A cursor that leads to itself would be followed forever.
  const isStuck = cursor !== null && (cursor === walk.cursor || count === 0);
  const isOver = cursor === null || isStuck;
  const paging = {
    next: isOver ? null : writeCursor({ cursor, seen, total }),
    truncated: isOver && (isStuck || isMissingMuch(seen, total)),
  };
  if (count > 0) {
    return { outcome: "ok", value: { reviews, rejectedCount, copyMadeAt: null }, ...paging };
  }
  if (walk.cursor === null && total > 0) {
    const reason = `${connectName} promised ${total} reviews and sent none`;
    return { ...unknown(reason), ...paging };
  }
  return { outcome: "empty", ...paging };
}

/** Reviews come and go while a walk takes its time. */
function isMissingMuch(seen: number, total: number): boolean {
  return total - seen > Math.max(5, total * 0.01);
}

function writeCursor({ cursor, seen, total }: Walk): string {
  return `${seen}/${total}/${cursor ?? ""}`;
}

/** null: not a cursor of this store. */
function readCursor(text: string): Walk | null {
  const [, seen, total, cursor] = text.match(/^(\d{1,12})\/(\d{1,12})\/(.+)$/s) ?? [];
  if (cursor === undefined) return null;
  return { cursor, seen: Number(seen), total: Number(total) };
}
