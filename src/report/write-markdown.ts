// The report as text in Markdown, for a ticket or a chat.
import type { Report } from "../dashboard-api/contract/report.ts";

const topicsMax = 8;
const regionsMax = 8;

export function toMarkdown(report: Report): string {
  const { overview } = report.overview;
  const { range, reviews, reviewsBefore, apps, topics, regions } = overview;
  const nameOf = (id: string): string => {
    const app = report.apps.find((one) => one.id === id);
    return app ? `${app.name} (${app.store})` : id;
  };
  const negativeShare = percent(reviews.sentiment.negative, reviews.total);
  const sections = [
    [`# ${escapeText(report.title)}`, `${range.from} to ${range.to}, made on ${report.madeAt}.`],
    report.notes.map((note) => `> ${escapeText(note)}`),
    [
      `**${reviews.total} reviews** (${reviewsBefore.total} in the days before), ${stars(reviews.averageRating)} stars, ${negativeShare} negative.`,
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
          `- **${escapeText(version)}** (${nameOf(app.id)}): ${outcome.replaceAll("_", " ")}. ${escapeText(words)}`,
      ),
    ],
    [
      "## Topics",
      table(
        ["topic", "reviews", "negative", "negative before"],
        topics
          .slice(0, topicsMax)
          .map(({ topic, count, sentiment, negativeBefore }) => [
            topic,
            ...[count, sentiment.negative, negativeBefore].map(String),
          ]),
      ),
    ],
    [
      "## Countries and languages",
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
        gap === null ? [] : [`- ${nameOf(appId)}, ${kind} ${region}: ${escapeText(gap)}`],
      ),
    ],
    ["## Keep it up to date", report.commands.map((line) => `    ${line}`).join("\n")],
  ];
  return `${sections
    .filter((lines) => lines.length > 0 && !(lines.length === 1 && lines[0]?.startsWith("## ")))
    .map((lines) => lines.join(lines[1]?.startsWith("- ") ? "\n" : "\n\n"))
    .join("\n\n")}\n`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeText).join(" | ")} |`;
  return [line(header), `|${" --- |".repeat(header.length)}`, ...rows.map(line)].join("\n");
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
