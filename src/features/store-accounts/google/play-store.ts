// Google Play through its owner's service account: the reviews of the last seven days, all languages in
// one feed, and behind them the monthly exports of the Play Console, where the account has a bucket. It
// has no ratings: those are public. Averages of earlier days are in the bucket, too.
import type { Clock } from "../../../lib/clock.ts";
import type { Http } from "../../../lib/http.ts";
import { foreignCursor, noNextPage, unexpectedContent } from "../../../stores/response-check.ts";
import type { FetchedPage, Store } from "../../../stores/store.ts";
import type { AccountClient, AccountResponse } from "../account-client.ts";
import { parseApiPage } from "./api-reviews.ts";
import { ConsoleBucket, type SeenFiles } from "./console-bucket.ts";
import { ConsoleFiles, type FileCursor } from "./console-files.ts";
import { readConsoleRatings } from "./console-ratings.ts";
import { createGoogleClient, googleWords, playName } from "./google-client.ts";
import { createPlayAnswers } from "./play-answers.ts";
import type { ServiceCredential } from "./service-token.ts";

type PlayDeveloperOptions = {
  http: Http;
  androidPublisherBaseUrl: string;
  oauthBaseUrl: string;
  storageBaseUrl: string;
  clock: Clock;
  credential: ServiceCredential;
  /** The owner of its work in threads: one workspace can have many buckets. */
  workspaceId: string;
  /** For what this API does not have: ratings, names, icons, searches. */
  publicStore: Store;
  /** Exports that were read before; updated while crawling. */
  seenFiles?: SeenFiles;
  /** How long a thread may be busy with one export of reviews. */
  exportBusyMs?: number;
};

export function createPlayDeveloper(options: PlayDeveloperOptions): Store {
  const { publicStore, storageBaseUrl, credential, workspaceId, seenFiles = new Map() } = options;
  const { exportBusyMs: busyMs } = options;
  const client = createGoogleClient(options);
  const bucket = credential.bucket
    ? new ConsoleBucket(client, { storageBaseUrl, bucket: credential.bucket })
    : null;
  const source: Source = {
    client,
    baseUrl: options.androidPublisherBaseUrl,
    files: bucket && new ConsoleFiles(bucket, { seen: seenFiles, busyMs, owner: workspaceId }),
  };
  return {
    ...publicStore,
    answers: createPlayAnswers(source),
    fetchReviews: ({ externalAppId, cursor }) => fetchReviews(source, { externalAppId, cursor }),
    ...(bucket && {
      readRatingAverages: (request) =>
        readConsoleRatings({ bucket, seen: seenFiles, clock: options.clock }, request),
    }),
  };
}

/** That the account's bucket does not exist, in words; null where nothing is known of it. */
export async function findBucketFault(
  options: Pick<
    PlayDeveloperOptions,
    "http" | "clock" | "oauthBaseUrl" | "storageBaseUrl" | "credential"
  >,
): Promise<string | null> {
  const { storageBaseUrl, credential } = options;
  if (!credential.bucket) return null;
  const { bucket } = credential;
  return new ConsoleBucket(createGoogleClient(options), { storageBaseUrl, bucket }).findFault();
}

type Source = { client: AccountClient; baseUrl: string; files: ConsoleFiles | null };

const pageSize = 100;

/** Where a crawl is. `restarted`: after the store forgot a token. */
type PlayCursor =
  | { in: "list"; token: string | null; restarted: boolean }
  | { in: "files"; file: FileCursor | null };

const playStart = { in: "list", token: null, restarted: false } as const;

async function fetchReviews(
  source: Source,
  request: { externalAppId: string; cursor: string | null },
): Promise<FetchedPage> {
  const { externalAppId } = request;
  const position = request.cursor === null ? playStart : parseCursor(request.cursor);
  if (position === null) return foreignCursor;
  if (position.in === "list") return fetchFromList(source, { externalAppId, position });
  if (source.files === null) return { outcome: "empty", ...noNextPage };
  return fetchFromFiles(source.files, { externalAppId, cursor: position.file });
}

async function fetchFromFiles(
  files: ConsoleFiles,
  { externalAppId, cursor }: { externalAppId: string; cursor: FileCursor | null },
): Promise<FetchedPage> {
  const page = await files.fetchPage(externalAppId, cursor);
  // An export that takes too much work makes the feed rest; every other failure of the bucket leaves the list as it is.
  if (page.outcome === "unknown" && !page.isOverBudget)
    return { ...page, ...noNextPage, isAside: true };
  return { ...page, next: page.next && formatCursor({ in: "files", file: page.next }) };
}

async function fetchFromList(
  source: Source,
  request: { externalAppId: string; position: PlayCursor & { in: "list" } },
): Promise<FetchedPage> {
  const { externalAppId, position } = request;
  const result = await requestList(source, { externalAppId, token: position.token });
  if (result.kind === "failed") {
    // The store no longer knows the token: once more from the top.
    if (result.status === 400 && position.token !== null && !position.restarted) {
      const restart = { ...playStart, restarted: true };
      return fetchFromList(source, { externalAppId, position: restart });
    }
    return { ...result.outcome, ...noNextPage };
  }
  const page = parseApiPage(result.text);
  if (page === null) return { ...unexpectedContent(playName, "a review page"), ...noNextPage };
  const { reviews, rejectedCount, token } = page;
  const isEmpty = reviews.length + rejectedCount === 0;
  const isListEnd = token === null || token === position.token || isEmpty;
  // An empty page with more behind it would look like a gap.
  if (isEmpty && source.files) {
    return fetchFromFiles(source.files, { externalAppId, cursor: null });
  }
  const after: PlayCursor = isListEnd
    ? { in: "files", file: null }
    : { in: "list", token, restarted: position.restarted };
  const isEnd = isListEnd && source.files === null;
  return {
    // A week without reviews does not indicate a block: the store knows whose request it is.
    outcome: "ok",
    value: { reviews, rejectedCount, copyMadeAt: null },
    next: isEnd ? null : formatCursor(after),
    capped: isEnd,
  };
}

function requestList(
  { client, baseUrl }: Source,
  { externalAppId, token }: { externalAppId: string; token: string | null },
): Promise<AccountResponse> {
  // Without a language to translate to, the store sends what was written.
  const query = new URLSearchParams({ maxResults: String(pageSize) });
  if (token !== null) query.set("token", token);
  const path = `/androidpublisher/v3/applications/${encodeURIComponent(externalAppId)}/reviews`;
  const words = googleWords({ name: playName, permission: "Reply to reviews" });
  return client.get({ url: `${baseUrl}${path}?${query}`, words });
}

function formatCursor(cursor: PlayCursor): string {
  if (cursor.in === "list") return `list/${cursor.restarted ? 1 : 0}/${cursor.token ?? ""}`;
  return cursor.file === null
    ? "files"
    : `files/${cursor.file.month}/${cursor.file.offset ?? "all"}`;
}

/** null: not a cursor of this store. */
function parseCursor(text: string): PlayCursor | null {
  if (text === "files") return { in: "files", file: null };
  const [, restarted, token] = text.match(/^list\/([01])\/(.+)$/s) ?? [];
  if (token !== undefined) return { in: "list", token, restarted: restarted === "1" };
  const [, month, offset] = text.match(/^files\/(\d{6})\/(\d{1,9}|all)$/) ?? [];
  if (month === undefined) return null;
  return { in: "files", file: { month, offset: offset === "all" ? null : Number(offset) } };
}
