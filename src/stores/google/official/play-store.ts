// Google Play through its owner's service account: the reviews of the last seven days, all languages in
// one feed, and behind them the monthly exports of the Play Console, where the account has a bucket. It
// tells no ratings: those are public.
import type { Clock } from "../../../lib/clock.ts";
import type { Http } from "../../../lib/http.ts";
import { unknown } from "../../response-check.ts";
import type { FetchedPage, Store } from "../../store.ts";
import { parseApiPage } from "./api-reviews.ts";
import { ConsoleFiles, type FilePlace, type SeenFiles } from "./console-files.ts";
import { type GoogleAnswer, GoogleClient } from "./google-client.ts";
import type { ServiceCredential } from "./service-token.ts";

export type PlayDeveloperOptions = {
  http: Http;
  androidPublisherBaseUrl: string;
  oauthBaseUrl: string;
  storageBaseUrl: string;
  clock: Clock;
  credential: ServiceCredential;
  /** Answers what this API does not tell: ratings, names, icons, searches. */
  publicStore: Store;
  /** Exports that were read before; kept up to date. */
  seenFiles?: SeenFiles;
};

export function openPlayDeveloper(options: PlayDeveloperOptions): Store {
  const { publicStore, storageBaseUrl, credential, seenFiles = new Map() } = options;
  const client = new GoogleClient(options);
  const { bucket } = credential;
  const source: Source = {
    client,
    baseUrl: options.androidPublisherBaseUrl.replace(/\/+$/, ""),
    files: bucket ? new ConsoleFiles(client, { storageBaseUrl, bucket, seen: seenFiles }) : null,
  };
  return {
    ...publicStore,
    fetchReviews: ({ externalAppId, cursor }) => fetchReviews(source, { externalAppId, cursor }),
  };
}

type Source = { client: GoogleClient; baseUrl: string; files: ConsoleFiles | null };

const playName = "The Google Play Developer API";
const pageSize = 100;

/** In the list a token, in the files a place; `restarted` after the store forgot a token. */
type Walk =
  | { in: "list"; token: string | null; restarted: boolean }
  | { in: "files"; place: FilePlace | null };

async function fetchReviews(
  source: Source,
  asked: { externalAppId: string; cursor: string | null },
): Promise<FetchedPage> {
  const walk = asked.cursor === null ? walkStart : readCursor(asked.cursor);
  if (walk === null) {
    return { ...unknown("the cursor is not one of this store's"), next: null, truncated: false };
  }
  if (walk.in === "list") return fetchListed(source, { ...asked, walk });
  if (source.files === null) return { outcome: "empty", next: null, truncated: false };
  return fetchFiled(source.files, { ...asked, place: walk.place });
}

async function fetchFiled(
  files: ConsoleFiles,
  { externalAppId, place }: { externalAppId: string; place: FilePlace | null },
): Promise<FetchedPage> {
  const page = await files.fetchPage(externalAppId, place);
  return { ...page, next: page.next && writeCursor({ in: "files", place: page.next }) };
}

const walkStart = { in: "list", token: null, restarted: false } as const;

async function fetchListed(
  source: Source,
  asked: { externalAppId: string; walk: Walk & { in: "list" } },
): Promise<FetchedPage> {
  const { externalAppId, walk } = asked;
  const end = { next: null, truncated: false };
  const answer = await askList(source, { externalAppId, token: walk.token });
  if (answer.kind === "refused") {
    // A token that the store no longer knows: once more from the top.
    if (answer.status === 400 && walk.token !== null && !walk.restarted) {
      return fetchListed(source, { externalAppId, walk: { ...walkStart, restarted: true } });
    }
    return { ...answer.unknown, ...end };
  }
  const page = parseApiPage(answer.answer.body.toString("utf8"));
  if (page === null) {
    return { ...unknown(`${playName} sent something else than a page of reviews`), ...end };
  }
  const { reviews, rejectedCount, token } = page;
  const isEmpty = reviews.length + rejectedCount === 0;
  const isListOver = token === null || token === walk.token || isEmpty;
  // A page of nothing would look like one whose reviews were left out.
  if (isEmpty && source.files) return fetchFiled(source.files, { externalAppId, place: null });
  const after: Walk = isListOver
    ? { in: "files", place: null }
    : { in: "list", token, restarted: walk.restarted };
  const isOver = isListOver && source.files === null;
  return {
    // A week without reviews is no sign of a block: the store knows who is asking.
    outcome: "ok",
    value: { reviews, rejectedCount, copyMadeAt: null },
    next: isOver ? null : writeCursor(after),
    truncated: isOver,
  };
}

function askList(
  { client, baseUrl }: Source,
  { externalAppId, token }: { externalAppId: string; token: string | null },
): Promise<GoogleAnswer> {
  // No language to translate to is named: what was written is wanted.
  const query = new URLSearchParams({ maxResults: String(pageSize) });
  if (token !== null) query.set("token", token);
  const path = `/androidpublisher/v3/applications/${encodeURIComponent(externalAppId)}/reviews`;
  return client.get({
    url: `${baseUrl}${path}?${query}`,
    store: playName,
    permission: "Reply to reviews",
  });
}

function writeCursor(walk: Walk): string {
  if (walk.in === "list") return `list/${walk.restarted ? 1 : 0}/${walk.token ?? ""}`;
  return walk.place === null ? "files" : `files/${walk.place.month}/${walk.place.offset ?? "all"}`;
}

/** null: not a cursor of this store. */
function readCursor(text: string): Walk | null {
  if (text === "files") return { in: "files", place: null };
  const [, restarted, token] = text.match(/^list\/([01])\/(.+)$/s) ?? [];
  if (token !== undefined) return { in: "list", token, restarted: restarted === "1" };
  const [, month, offset] = text.match(/^files\/(\d{6})\/(\d{1,9}|all)$/) ?? [];
  if (month === undefined) return null;
  return { in: "files", place: { month, offset: offset === "all" ? null : Number(offset) } };
}
