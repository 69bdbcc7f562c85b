// One review as App Store Connect writes it: ids of its own, three-letter territories, and times of the
// American west coast with the offset of the season.

import { territoryOfRegion } from "../src/domain/store/territories.ts";
import { uuidV5 } from "../src/lib/uuid.ts";
import type { SimulatedReview } from "./store-facts.ts";

const namespace = "1f6f7f0e-6d5c-5b7a-8a53-0f3f7f6f9b10";

/** The id in this API of a review of the public feed. */
export function connectIdOf(storeReviewId: string): string {
  return uuidV5(`connect ${storeReviewId}`, namespace);
}

/** The id in this API of a version of an app. */
export function versionIdOf(app: { externalAppId: string; version: string }): string {
  return Buffer.from(`${app.externalAppId} ${app.version}`).toString("base64url");
}

export function appVersionOf(versionId: string): { externalAppId: string; version: string } {
  const [externalAppId = "", version = ""] = Buffer.from(versionId, "base64url")
    .toString()
    .split(" ");
  return { externalAppId, version };
}

export function connectReview(
  review: SimulatedReview,
  { withResponse }: { withResponse: boolean },
): unknown {
  const id = connectIdOf(review.storeReviewId);
  const self = `https://api.appstoreconnect.apple.com/v1/customerReviews/${id}`;
  const response = review.reply && { type: "customerReviewResponses", id: responseIdOf(review) };
  return {
    type: "customerReviews",
    id,
    attributes: {
      rating: review.rating,
      title: review.title ?? "",
      body: review.text,
      reviewerNickname: review.author,
      createdDate: westCoastTime(review.date),
      territory: territoryOfRegion(review.region),
    },
    relationships: {
      response: {
        links: { self: `${self}/relationships/response`, related: `${self}/response` },
        ...(withResponse ? { data: response } : {}),
      },
    },
    links: { self },
  };
}

/** null: the developer has not replied. */
export function connectResponse(review: SimulatedReview): unknown {
  if (!review.reply) return null;
  return {
    type: "customerReviewResponses",
    id: responseIdOf(review),
    attributes: {
      responseBody: review.reply.text,
      lastModifiedDate: westCoastTime(review.reply.at ?? review.date),
      state: "PUBLISHED",
    },
  };
}

export function responseIdOf({ storeReviewId }: Pick<SimulatedReview, "storeReviewId">): string {
  return uuidV5(`response ${storeReviewId}`, namespace);
}

const offsetFormat = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Los_Angeles",
  timeZoneName: "longOffset",
});

export function westCoastTime(moment: Date): string {
  const zone = offsetFormat.formatToParts(moment).find(({ type }) => type === "timeZoneName");
  const offset = zone?.value.replace("GMT", "") ?? "-08:00";
  const shiftedMs = moment.getTime() + Number(offset.slice(0, 3)) * 3_600_000;
  return `${new Date(shiftedMs).toISOString().slice(0, 19)}${offset}`;
}
