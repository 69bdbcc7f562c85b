// The report as text in Markdown, for a ticket or a chat.

import { findUncoveredUntil } from "../../domain/changes/release-periods.ts";
import type { Report } from "./contract.ts";

const topicsMax = 8;
const regionsMax = 8;

export function toMarkdown(report: Report): string {
  const { overview } = report.overview;
  const { range, reviews, apps, topics, regions } = overview;
  const nameOf = (id: string): string => nameApp(report, id);
  const uncoveredUntil = findUncoveredUntil(overview);
  const negativeShare = percent(reviews.sentiment.negative, reviews.total);
  const sections = [
    [`# ${escapeText(report.title)}`, `${range.from} to ${range.to}, made on ${report.madeAt}.`],
    [...report.notes, ...describeGaps(report)].map((note) => `> ${escapeText(note)}`),
    [
      `**${count(reviews.total, "review")}** (${describeBase(overview)}), ${stars(reviews.averageRating)} stars, ${negativeShare} negative.`,
    ],
    [
      "## Store ratings",
      table(
        ["app", "rating", "ratings", "reviews"],
        apps.map(({ appId, rating, reviews: own }) => [
          nameOf(appId),
          stars(rating?.average ?? null),
          String(rating?.total ?? "–"),
          String(own.total),
        ]),
      ),
    ],
    [
      "## Releases",
      ...report.verdicts.map(
        ({ app, version, outcome, words }) =>
          `- **${escapeText(version)}** (${escapeText(nameOf(app.id))}): ${outcome.replaceAll("_", " ")}. ${escapeText(words)}`,
      ),
    ],
    [
      `## Topics${shown(topics.length, topicsMax)}`,
      table(
        ["topic", "reviews", "negative", ...(uncoveredUntil === null ? ["negative before"] : [])],
        topics
          .slice(0, topicsMax)
          .map(({ topic, count: all, sentiment, negativeBefore }) => [
            topic,
            ...[all, sentiment.negative].map(String),
            ...(uncoveredUntil === null ? [String(negativeBefore)] : []),
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
            ...[store, region, String(total), stars(averageRating)],
          ]),
      ),
    ],
    [
      "## Not read",
      ...report.feeds.flatMap(({ appId, kind, region, gap }) =>
        gap === null
          ? []
          : [`- ${escapeText(nameOf(appId))}, ${kind} ${region}: ${escapeText(gap)}`],
      ),
    ],
    ["## Keep it up to date", report.commands.map((line) => `    ${line}`).join("\n")],
  ];
  return `${sections
    .filter((lines) => lines.length > 0 && !(lines.length === 1 && lines[0]?.startsWith("## ")))
    .map((lines) => lines.join(lines[1]?.startsWith("- ") ? "\n" : "\n\n"))
    .join("\n\n")}\n`;
}

function describeBase(overview: Report["overview"]["overview"]): string {
  const uncoveredUntil = findUncoveredUntil(overview);
  return uncoveredUntil === null
    ? `${overview.reviewsBefore.total} in as many days before`
    : `complete since ${uncoveredUntil}, nothing to compare yet`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeText).join(" | ")} |`;
  return [line(header), `|${" --- |".repeat(header.length)}`, ...rows.map(line)].join("\n");
}

function nameApp({ apps }: Report, id: string): string {
  const app = apps.find((one) => one.id === id);
  return app ? `${app.name} (${app.store})` : id;
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
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
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
