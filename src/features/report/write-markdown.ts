// The report as text in Markdown, for a ticket or a chat.

import { findUncoveredUntil } from "../../domain/changes/release-periods.ts";
import { outcomeNames, shownOutcome } from "../../domain/changes/shown-outcome.ts";
import { reviewRegionName } from "../../domain/store/region-name.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { readableDay, readableMoment } from "../../lib/readable-date.ts";
import { dayOf } from "../../lib/timestamp.ts";
import type { Report } from "./contract.ts";

const topicsMax = 8;
const regionsMax = 8;

export function toMarkdown(report: Report): string {
  const { overview } = report.overview;
  const { range, reviews, topics, regions } = overview;
  const nameOf = (id: string): string => nameApp(report, id);
  const uncoveredUntil = findUncoveredUntil(overview);
  const madeAt = new Date(report.madeAt);
  const negativeShare = percent(reviews.sentiment.negative, reviews.total);
  const sections = [
    [
      `# ${escapeText(report.title)}`,
      `${readableDay(range.from)} to ${readableDay(range.to)}, made on ${readableMoment(madeAt)}.`,
    ],
    [...report.notes, ...describeGaps(report)].map((note) => `> ${escapeText(note)}`),
    [
      `**${count(reviews.total, "review")}** (${describeBase(overview)}), ${stars(reviews.averageRating)} stars, ${negativeShare} negative.`,
    ],
    ["## Store ratings", writeRatings(report)],
    [
      "## Releases",
      ...report.verdicts.map(
        (verdict) =>
          `- **${escapeText(verdict.version)}** (${escapeText(nameOf(verdict.app.id))}): ${outcomeNames[shownOutcome(verdict, dayOf(madeAt))]}. ${escapeText(verdict.words)}`,
      ),
    ],
    [
      `## Topics${shown(topics.length, topicsMax)}`,
      table(
        ["topic", "reviews", "negative", ...(uncoveredUntil === null ? ["negative before"] : [])],
        topics
          .slice(0, topicsMax)
          .map(({ topic, count: all, sentiment, negativeBefore }) => [
            topicLabel(topic),
            ...[all, sentiment.negative].map(formatCount),
            ...(uncoveredUntil === null ? [formatCount(negativeBefore)] : []),
          ]),
      ),
    ],
    [
      `## Countries and languages${shown(regions.length, regionsMax)}`,
      table(
        ["store", "country or language", "reviews", "stars"],
        regions
          .slice(0, regionsMax)
          .map(({ store, region, total, averageRating }) => [
            ...[storeTraits[store].name, reviewRegionName(region, store)],
            ...[formatCount(total), stars(averageRating)],
          ]),
      ),
    ],
    [
      "## Not read",
      ...report.feeds.flatMap(({ appId, kind, region, gap }) =>
        gap === null
          ? []
          : [`- ${escapeText(nameOf(appId))}, ${kind} of ${region}: ${escapeText(gap)}`],
      ),
    ],
    ["## Keep it up to date", report.commands.map((line) => `    ${line}`).join("\n")],
  ];
  return `${sections
    .filter((lines) => lines.length > 0 && !(lines.length === 1 && lines[0]?.startsWith("## ")))
    .map((lines) => lines.join(lines[1]?.startsWith("- ") ? "\n" : "\n\n"))
    .join("\n\n")}\n`;
}

function writeRatings(report: Report): string {
  return table(
    ["app", "rating", "ratings", "reviews"],
    report.overview.overview.apps.map(({ appId, rating, reviews: own }) => [
      nameApp(report, appId),
      stars(rating?.average ?? null),
      rating ? formatCount(rating.total) : "–",
      formatCount(own.total),
    ]),
  );
}

function describeBase(overview: Report["overview"]["overview"]): string {
  const uncoveredUntil = findUncoveredUntil(overview);
  return uncoveredUntil === null
    ? `${formatCount(overview.reviewsBefore.total)} in as many days before`
    : `complete since ${readableDay(uncoveredUntil)}, nothing to compare yet`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeText).join(" | ")} |`;
  return [line(header), `|${" --- |".repeat(header.length)}`, ...rows.map(line)].join("\n");
}

function nameApp({ apps }: Report, id: string): string {
  const app = apps.find((one) => one.id === id);
  return app ? `${app.name} · ${storeTraits[app.store].name}` : id;
}

function describeGaps({ feeds }: Report): string[] {
  const { length } = feeds.filter(({ gap }) => gap !== null);
  if (length === 0) return [];
  return [
    `Not complete: ${length} of ${count(feeds.length, "list")} could not be read. The end names them.`,
  ];
}

/** The end of a heading where not all rows follow. */
function shown(total: number, max: number): string {
  return total > max ? ` (${max} of ${total})` : "";
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function formatCount(number: number): string {
  return number.toLocaleString("en");
}

/** `feature_request` is `Feature request`. */
function topicLabel(topic: string): string {
  const words = topic.replaceAll("_", " ");
  return topic === "ui" ? "UI" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Other people's words must not make links, tables or tags. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#]/g, "\\$&").replaceAll(/\s+/g, " ");
}

function stars(average: number | null): string {
  return average === null ? "–" : average.toFixed(2);
}

function percent(count: number, total: number): string {
  return total === 0 ? "–" : `${Math.round((count / total) * 100)}%`;
}
