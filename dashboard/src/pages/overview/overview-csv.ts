// The numbers of the overview as CSV: a row for each week or day, topic, region and version, with the same columns.
import type { Overview, ReviewCounts } from "../../../../src/dashboard-api/contract/overview.ts";
import { unitOf } from "./period.tsx";

const header = [
  ...["part", "what", "from", "to", "reviews", "average"],
  ...["stars_1", "stars_2", "stars_3", "stars_4", "stars_5"],
  ...["positive", "neutral", "mixed", "negative"],
];

type Cell = string | number | null;

export function overviewCsv(overview: Overview): string {
  const { range, apps, versions } = overview;
  const nameOf = (id: string) => apps.find(({ appId }) => appId === id)?.name ?? id;
  const rows: Cell[][] = [
    ["total", "", range.from, range.to, ...counts(overview.reviews)],
    ...apps.map(({ name, store, reviews }) => [
      ...["app", `${name} (${store})`, range.from, range.to],
      ...counts(reviews),
    ]),
    ...overview.weeks.map((week) => [
      ...[unitOf(overview.weeks), week.week, week.from, week.to],
      ...counts(week),
    ]),
    ...overview.topics.map(({ topic, count, sentiment }) => [
      ...["topic", topic, range.from, range.to, count, null, null, null, null, null, null],
      ...[sentiment.positive, sentiment.neutral, sentiment.mixed, sentiment.negative],
    ]),
    ...overview.regions.map(({ store, region, ...one }) => [
      ...["region", `${region} (${store})`, range.from, range.to],
      ...counts(one),
    ]),
    ...versions.flatMap(({ appId, version, before, after }) => [
      ...(before === null
        ? []
        : [
            [
              ...["before version", `${nameOf(appId)} ${version}`, before.from, before.to],
              ...counts(before),
            ],
          ]),
      ["after version", `${nameOf(appId)} ${version}`, after.from, after.to, ...counts(after)],
    ]),
  ];
  return `${[header, ...rows].map((row) => row.map(toCell).join(",")).join("\r\n")}\r\n`;
}

function counts({ total, averageRating, stars, sentiment }: ReviewCounts): Cell[] {
  const { positive, neutral, mixed, negative } = sentiment;
  return [total, averageRating, ...stars, positive, neutral, mixed, negative];
}

/** An app may be called like a formula: a spreadsheet must not run it. */
function toCell(value: Cell): string {
  if (value === null) return "";
  const text = typeof value === "string" ? value.replace(/^(?=\s*[=+\-@])/, "'") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
