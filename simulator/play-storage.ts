// The bucket with a developer's Play Console exports: a CSV of reviews and one of ratings for each month and app, in
// UTF-16, listed with the time and the sum of its content.

import { createHash } from "node:crypto";
import { dayOf, formatTimestamp } from "../src/lib/timestamp.ts";
import type { ServiceAccount } from "./api-auth.ts";
import { headerValue, jsonResponse, type OfficialApiDeps } from "./connect-api.ts";
import { googleError } from "./play-api.ts";
import type { ReviewList } from "./review-list.ts";
import type { SimulatedReview } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

const scope = "https://www.googleapis.com/auth/devstorage.read_only";

export function handleStorage(deps: OfficialApiDeps, request: StoreRequest): StoreResponse {
  const account = deps.apiAuth.findServiceAccount(headerValue(request, "authorization"), scope);
  if (!account) return googleError(401, "UNAUTHENTICATED");
  const [, , , , bucket, , object] = request.url.pathname.split("/");
  if (bucket === undefined || decodeURIComponent(bucket) !== account.bucket) {
    return googleError(403, "PERMISSION_DENIED");
  }
  if (request.kind === "storage-object") {
    return respondWithObject(deps.storeState, { name: decodeURIComponent(object ?? ""), account });
  }
  return respondWithList(deps.storeState, {
    prefix: request.url.searchParams.get("prefix") ?? "",
    account,
  });
}

function respondWithList(
  storeState: StoreState,
  { prefix, account }: { prefix: string; account: ServiceAccount },
): StoreResponse {
  const [, packageName = ""] =
    prefix.match(/^(?:reviews\/reviews|stats\/ratings\/ratings)_(.+)_$/) ?? [];
  const list = listOfPackage(storeState, { packageName, account });
  const end = prefix.startsWith("stats/") ? "_overview.csv" : ".csv";
  const items = monthsOf(list).map(({ month, count, newest }) => {
    const name = `${prefix}${month}${end}`;
    const sum = createHash("md5").update(`${name} ${count} ${newest.date.getTime()}`);
    return {
      kind: "storage#object",
      name,
      updated: formatTimestamp(newest.date),
      md5Hash: sum.digest("base64"),
    };
  });
  return jsonResponse(200, { kind: "storage#objects", ...(items.length > 0 ? { items } : {}) });
}

function respondWithObject(
  storeState: StoreState,
  { name, account }: { name: string; account: ServiceAccount },
): StoreResponse {
  const [, kind, packageName = "", month = ""] =
    name.match(/^(reviews|stats\/ratings)\/(?:reviews|ratings)_(.+)_(\d{6})(?:_overview)?\.csv$/) ??
    [];
  const list = listOfPackage(storeState, { packageName, account });
  const found = monthsOf(list).find((candidate) => candidate.month === month);
  if (!found) return googleError(404, "NOT_FOUND");
  const table =
    kind === "reviews"
      ? [columns, ...list.slice(found.start, found.count).map((one) => rowOf(one, packageName))]
      : [ratingColumns, ...ratingRowsOf(list, found, packageName)];
  const csv = table.map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
  const bytes = Buffer.from(`\ufeff${csv}`, "utf16le");
  return { status: 200, headers: { "content-type": "text/csv" }, body: "", bytes };
}

function listOfPackage(
  storeState: StoreState,
  { packageName, account }: { packageName: string; account: ServiceAccount },
): ReviewList {
  const isOwned = account.packageNames?.includes(packageName) ?? true;
  const app = { store: "googleplay" as const, externalAppId: isOwned ? packageName : "" };
  return storeState.reviewList(app, "all");
}

type Month = { month: string; start: number; count: number; newest: SimulatedReview };

/** Newest first; a review is in the month of its last edit. */
function monthsOf(list: ReviewList): Month[] {
  const months: Month[] = [];
  for (let start = 0; start < list.length; ) {
    const [newest] = list.slice(start, 1);
    if (!newest) break;
    const first = new Date(Date.UTC(newest.date.getUTCFullYear(), newest.date.getUTCMonth(), 1));
    const end = list.countBefore({ dateMs: first.getTime() - 1, storeReviewId: "\uffff" });
    const month = first.toISOString().slice(0, 7).replace("-", "");
    const count = Math.max(1, end - start);
    months.push({ month, start, count, newest });
    start += count;
  }
  return months;
}

const columns = [
  "Package Name",
  "App Version Code",
  "App Version Name",
  "Reviewer Language",
  "Device",
  "Review Submit Date and Time",
  "Review Submit Millis Since Epoch",
  "Review Last Update Date and Time",
  "Review Last Update Millis Since Epoch",
  "Star Rating",
  "Review Title",
  "Review Text",
  "Developer Reply Date and Time",
  "Developer Reply Millis Since Epoch",
  "Developer Reply Text",
  "Review Link",
];

function rowOf(review: SimulatedReview, packageName: string): string[] {
  const { date, reply, storeReviewId } = review;
  const at = [formatTimestamp(new Date(date.getTime() - (date.getTime() % 1_000))), date.getTime()];
  const repliedAt = reply?.at ?? null;
  const link =
    "http://play.google.com/console/developers/1/app/1/user-feedback/review-details" +
    `?reviewId=${storeReviewId}&corpus=PUBLIC_REVIEWS`;
  return [
    packageName,
    review.version === "" ? "" : "1",
    review.version,
    review.region,
    "sample",
    ...at.map(String),
    ...at.map(String),
    String(review.rating),
    review.title ?? "",
    review.text,
    repliedAt === null ? "" : formatTimestamp(repliedAt),
    repliedAt === null ? "" : String(repliedAt.getTime()),
    reply?.text ?? "",
    // Stars without a review have no link.
    review.text === "" ? "" : link,
  ];
}

const ratingColumns = ["Date", "Package Name", "Daily Average Rating", "Total Average Rating"];

/** A row for each day with reviews; the total is of everything up to that day. */
function ratingRowsOf(list: ReviewList, month: Month, packageName: string): string[][] {
  const ratings = list.slice(month.start, list.length - month.start);
  const days = new Set(ratings.slice(0, month.count).map(({ date }) => dayOf(date)));
  return [...days].reverse().map((day) => {
    const total = meanRating(ratings.filter(({ date }) => dayOf(date) <= day));
    const daily = meanRating(ratings.filter(({ date }) => dayOf(date) === day));
    return [day, packageName, daily, total];
  });
}

function meanRating(reviews: readonly SimulatedReview[]): string {
  return String(reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length);
}

function quoted(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
