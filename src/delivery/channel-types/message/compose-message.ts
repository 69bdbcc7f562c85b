// Composes the message of an event. The same for all types; what they look like is up to each.

import type {
  AlertDocument,
  ChannelEvent,
  RatingDropDocument,
  ReviewEventDocument,
} from "../../../domain/channel/channel-event.ts";
import { drawStars } from "../../../domain/review/review-line.ts";
import type { StoreId } from "../../../domain/store/store-id.ts";
import { hasReviewsByLanguage, storeTraits } from "../../../domain/store/store-traits.ts";
import { languageName } from "../../../lib/place-names.ts";
import { readableDay } from "../../../lib/readable-date.ts";
import { composeDigestMessage } from "./compose-digest-message.ts";
import { cutText, isolate } from "./cut-text.ts";
import type { Block, Message, Tone } from "./message.ts";
import {
  type ComposeOptions,
  dashboardUrl,
  formatCount,
  listLinks,
  nameMax,
  nameOf,
  notes,
  quoteBlock,
} from "./message-parts.ts";

export function composeMessage(event: ChannelEvent, options: ComposeOptions): Message {
  switch (event.event) {
    case "review.created":
    case "review.updated":
      return composeReviewMessage(event, options);
    case "review.rating_drop":
      return composeDropMessage(event, options);
    case "digest":
      return composeDigestMessage(event, options);
    case "reviews.spike":
    case "release.worse":
    case "storefront.failing":
    case "channel.failing":
      return composeAlertMessage(event, options);
  }
}

function composeReviewMessage(event: ReviewEventDocument, options: ComposeOptions): Message {
  const { app, review } = event;
  const url = dashboardUrl(event, options, `reviews/${app.id}/${review.id}`);
  const what = event.event === "review.created" ? "New review" : "Edited review";
  return {
    heading: `${drawStars(review.rating)} ${what} of ${isolate(nameOf(app))}`,
    url,
    tone: toneOf(review.rating),
    blocks: [
      ...notes(event.event === "review.updated" && describeChange(event.change)),
      ...listTextBlocks(review, options),
      { kind: "note", text: describeReview(event) },
    ],
    links: listLinks({ app, country: review.country, url, label: "Open in Starpost" }),
    threadId: review.id,
  };
}

function listTextBlocks(review: ReviewEventDocument["review"], options: ComposeOptions): Block[] {
  const { title, text, translatedText, translatedFrom } = review;
  const blocks: Block[] = [];
  if (title) blocks.push({ kind: "strong", text: cutText(title, titleMax) });
  blocks.push(
    text === ""
      ? { kind: "note", text: "No text" }
      : { kind: "text", text: cutText(text, options.textMax) },
  );
  if (translatedText !== null) {
    blocks.push({ kind: "note", text: `Translated from ${languageName(translatedFrom ?? "")}` });
    blocks.push({ kind: "text", text: cutText(translatedText, options.textMax) });
  }
  return blocks;
}

const titleMax = 200;

function describeChange(change: {
  oldScore: number;
  newScore: number;
  ratingChanged: boolean;
  headline: string;
}): string {
  const { oldScore, newScore, ratingChanged, headline } = change;
  return ratingChanged ? `${drawStars(oldScore)} → ${drawStars(newScore)}  ${headline}` : headline;
}

function describeReview({ app, review }: ReviewEventDocument): string {
  const { author, country, version, date } = review;
  const parts = [
    author === "" ? [] : isolate(cutText(author, nameMax)),
    storeTraits[app.store].name,
    describeCountry(app.store, country),
    version === "" ? [] : `version ${isolate(cutText(version, nameMax))}`,
    readableDay(date),
  ];
  return parts.flat().join(" · ");
}

/** In a store by language it is the language that was found, or `und`. */
function describeCountry(store: StoreId, country: string): string | string[] {
  if (country === storeTraits[store].soleRegion) return [];
  if (!hasReviewsByLanguage(store)) return country.toUpperCase();
  return country === "und" ? [] : country;
}

function composeDropMessage(event: RatingDropDocument, options: ComposeOptions): Message {
  const { app, ratingDrop } = event;
  const { drop, currentAvg, baselineAvg, sampleSize, periodDays } = ratingDrop;
  const url = dashboardUrl(event, options, `overview?app=${app.id}`);
  return {
    heading: `Rating of ${isolate(nameOf(app))} fell by ${drop.toFixed(2)} stars`,
    url,
    tone: "bad",
    blocks: [
      {
        kind: "text",
        text: `From ${baselineAvg.toFixed(2)} to ${currentAvg.toFixed(2)} within ${periodDays} days, by ${formatCount(sampleSize)} ratings.`,
      },
      { kind: "chart", text: drawRatingDrop(event) },
    ],
    links: listLinks({ app, url, label: "Open in Starpost" }),
    threadId: null,
  };
}

function toneOf(rating: number): Tone {
  if (rating >= 4) return "good";
  return rating === 3 ? "neutral" : "bad";
}

const steps = "▁▂▃▄▅▆▇█";
const barWidth = 20;
const labelWidth = "before".length;
const sparkMax = 30;

/** Between the half stars around both averages: on a scale from none to five stars their bars would look alike. */
function drawRatingDrop({ ratingDrop, days }: RatingDropDocument): string {
  const { currentAvg, baselineAvg } = ratingDrop;
  const [low, high] = [Math.min(currentAvg, baselineAvg), Math.max(currentAvg, baselineAvg)];
  const from = Math.max(0, Math.floor(2 * low - 0.2) / 2);
  const to = Math.max(from + 0.5, Math.ceil(2 * high) / 2);
  const drawBar = (label: string, average: number) => {
    const filled = Math.round(((average - from) / (to - from)) * barWidth);
    const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
    return `${label.padEnd(labelWidth)} ${bar} ${average.toFixed(2)}`;
  };
  const [left, right] = [from.toFixed(1), to.toFixed(1)];
  const scale = `${" ".repeat(labelWidth)} ${left}${right.padStart(barWidth - left.length)}`;
  const bars = [scale, drawBar("before", baselineAvg), drawBar("now", currentAvg)];
  const line = drawSparkline(days.map(({ average }) => average));
  return (line === null ? bars : [...bars, `${"days".padEnd(labelWidth)} ${line}`]).join("\n");
}

/** From the lowest to the highest of the days; null for fewer than three. */
function drawSparkline(averages: readonly number[]): string | null {
  const shown = averages.slice(-sparkMax);
  if (shown.length < 3) return null;
  const low = Math.min(...shown);
  const span = Math.max(...shown) - low || 1;
  const top = steps.length - 1;
  return shown.map((average) => steps[Math.round(((average - low) / span) * top)]).join("");
}

function composeAlertMessage(event: AlertDocument, options: ComposeOptions): Message {
  const { lines, moreCount, quote } = event;
  const { heading, path, note } = describe(event);
  const url = dashboardUrl(event, options, path);
  return {
    heading,
    url,
    tone: "bad",
    blocks: [
      { kind: "text", text: lines.map((line) => `• ${line}`).join("\n") },
      ...(quote ? [quoteBlock(quote, options.textMax)] : []),
      ...notes(moreCount > 0 && `and ${formatCount(moreCount)} more`, note),
    ],
    links: url === null ? [] : [{ label: "Open in Starpost", url }],
    threadId: null,
  };
}

function describe(event: AlertDocument): { heading: string; path: string; note: string } {
  const { app, failing, lines, moreCount, version } = event;
  const name = app === null ? "" : `${isolate(nameOf(app))} (${storeTraits[app.store].name})`;
  const count = lines.length + moreCount;
  switch (event.event) {
    case "storefront.failing":
      return {
        heading: `${count === 1 ? "A storefront" : `${formatCount(count)} storefronts`} of ${name} can't be read`,
        path: `sources/apps/${app?.id ?? ""}`,
        note: "Nothing is lost: reading goes on by itself, and what came meanwhile is found then.",
      };
    case "channel.failing":
      return {
        heading: `The channel ${isolate(nameOf(failing ?? { name: "" }))} fails`,
        path: `sources/channels/${failing?.id ?? ""}`,
        note: "Deliveries are retried by themselves.",
      };
    case "reviews.spike":
      return {
        heading: `Unusual reviews of ${name}`,
        path: `overview?app=${app?.id ?? ""}`,
        note: "Yesterday and today, against the 28 days before.",
      };
    case "release.worse":
      return {
        heading:
          version === undefined
            ? `The newest release of ${name} is worse`
            : `Version ${isolate(cutText(version, nameMax))} of ${name} is worse`,
        path: `verdicts/${app?.id ?? ""}`,
        note: "Against the twelve weeks before: at most 5% of harmless releases are ever called worse.",
      };
  }
}
