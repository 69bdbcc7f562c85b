// Composes the message of a digest: for each app what changed, its rating, and the top complaints with quotes.

import type { AppDigest, DigestDocument } from "../../../domain/channel/channel-event.ts";
import { storeTraits } from "../../../domain/store/store-traits.ts";
import { isolate } from "./cut-text.ts";
import type { Block, Message } from "./message.ts";
import {
  type ComposeOptions,
  dashboardUrl,
  formatCount,
  listLinks,
  nameOf,
  notes,
  quoteBlock,
} from "./message-parts.ts";

export function composeDigestMessage(event: DigestDocument, options: ComposeOptions): Message {
  const { rhythm, apps, others, unnamedCount } = event;
  const [only] = apps.length === 1 ? apps : [];
  const url = dashboardUrl(event, options, only ? `overview?app=${only.app.id}` : "overview");
  const what = rhythm === "daily" ? "Daily digest" : "Weekly digest";
  const whose = only ? ` of ${isolate(nameOf(only.app))}` : "";
  const open = url === null ? [] : [{ label: "Open in Starpost", url }];
  const { blocks, shortened } = fitApps(event, options);
  return {
    heading: `${what}${whose}: ${formatDays(event.range)}`,
    url,
    tone: "neutral",
    blocks: [
      ...(apps.length === 0
        ? [{ kind: "text", text: "This channel has no app to report on." } as const]
        : []),
      ...blocks,
      ...notes(
        ...shortened.map(
          ({ app, sentences }) =>
            `${isolate(nameOf(app))} · ${storeTraits[app.store].name}: ${sentences[0] ?? ""}`,
        ),
        ...others.map(
          ({ app, reviewCount }) =>
            `${isolate(nameOf(app))} · ${storeTraits[app.store].name}: ${countReviews(reviewCount)}`,
        ),
        unnamedCount > 0 && `and ${formatCount(unnamedCount)} more apps`,
        shortened.length > 0 && "Shortened to fit a message: Starpost has the rest.",
      ),
    ],
    links: only ? listLinks({ app: only.app, url, label: "Open in Starpost" }) : open,
    threadId: null,
  };
}

/** Slack takes 50 blocks, and the head, the foot and the other apps have theirs. */
const blocksMax = 32;
/** How long the texts of whole apps may be, in lengths of a review. */
const textsMax = 1.5;

/** As many apps as a message has room for, the first in any case; the others in their first sentence alone. */
function fitApps(
  event: DigestDocument,
  options: ComposeOptions,
): { blocks: Block[]; shortened: AppDigest[] } {
  const blocks: Block[] = [];
  let left = textsMax * options.textMax;
  for (const [index, one] of event.apps.entries()) {
    const own = listAppBlocks(event, one, options);
    left -= own.reduce((sum, { text }) => sum + text.length, 0);
    const isFull = left < 0 || blocks.length + own.length > blocksMax;
    if (index > 0 && isFull) return { blocks, shortened: event.apps.slice(index) };
    blocks.push(...own);
  }
  return { blocks, shortened: [] };
}

function listAppBlocks(event: DigestDocument, one: AppDigest, options: ComposeOptions): Block[] {
  const { app, sentences, matchingCount, complaints, moreTopicCount = 0 } = one;
  const url = dashboardUrl(event, options, `overview?app=${app.id}`);
  return [
    { kind: "heading", text: `${nameOf(app)} · ${storeTraits[app.store].name}`, url },
    { kind: "text", text: sentences.map((sentence) => `• ${sentence}`).join("\n") },
    ...notes(
      describeRating(one),
      matchingCount !== null &&
        `${countReviews(matchingCount)} fit this channel's stars and topics`,
    ),
    ...complaints.flatMap((complaint) => listComplaintBlocks(complaint, options)),
    ...notes(
      moreTopicCount > 0 &&
        `and complaints about ${formatCount(moreTopicCount)} more topic${moreTopicCount === 1 ? "" : "s"}`,
    ),
  ];
}

function listComplaintBlocks(
  { topic, count, quote }: AppDigest["complaints"][number],
  { textMax }: ComposeOptions,
): Block[] {
  const name = topic === null ? "Other complaints" : nameTopic(topic);
  return [
    { kind: "note", text: `${name}: ${formatCount(count)} bad review${count === 1 ? "" : "s"}` },
    quoteBlock(quote, textMax),
  ];
}

function describeRating({ ratings, ratingsBefore }: AppDigest): string | null {
  if (ratings === null || ratings.total === 0) return null;
  const now = `Rating ${ratings.average.toFixed(2)} by ${formatCount(ratings.total)} ratings`;
  if (ratingsBefore === null) return now;
  const more = ratings.total - ratingsBefore.total;
  const before = `before ${ratingsBefore.average.toFixed(2)}`;
  return more > 0 ? `${now} (${before}, ${formatCount(more)} new)` : `${now} (${before})`;
}

function countReviews(count: number): string {
  return `${formatCount(count)} review${count === 1 ? "" : "s"}`;
}

/** `feature_request` is `Feature request`. */
function nameTopic(topic: string): string {
  const words = topic.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

function formatDays({ from, to }: { from: string; to: string }): string {
  const [first, last] = [from, to].map((day) => dayFormat.format(new Date(day)));
  return from === to ? `${last}` : `${first} to ${last}`;
}
