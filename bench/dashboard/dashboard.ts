// The response times of the dashboard API on a workspace with many reviews: each request alone, over HTTP on
// loopback. Prints one table and one line of JSON. `--reviews` sets the size of the big app.
import { MovableClock } from "../../src/lib/clock.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { createBenchData, newestDay, oldestDay } from "../read-api/data.ts";
import { type Figure, medianOf, printFigures } from "../read-api/report.ts";
import { openDashboard } from "./service.ts";

const options = readOptions(
  { name: "dashboard", about: "How long the dashboard's requests take, each by itself." },
  {
    reviews: [1_000_000, "reviews of the big app"],
    rounds: [9, "how often each request is measured"],
  },
);
const bigCount = options.reviews;
const roundCount = options.rounds;
const clock = new MovableClock(new Date(`${newestDay}T12:00:00Z`));

// A snapshot of each day, and a version every other week.
const moreData = `with days as (
    select l.id, d::date as day, row_number() over (partition by l.id order by d) as n
    from listings l, generate_series($1::date, $2::date, interval '1 day') d
  ), versions as (
    insert into app_versions (listing_id, version, first_day)
    select id, '4.' || n / 14, day from days where n % 14 = 0
  )
  insert into snapshots (listing_id, region, day, average, total, histogram, captured_at)
  select id, 'us', day, 4 + sin(n / 30.0) / 10, 1000 + n * 10, array[1, 2, 3, 4, 990 + n * 10], day
  from days`;

const resources = new ResourceStack();
try {
  await main();
} finally {
  await resources.closeAll();
}

async function main(): Promise<void> {
  const { database, admin } = await openBenchDatabase(resources);
  process.stderr.write(`bench: generating ${bigCount} reviews\n`);
  const data = await createBenchData(database, admin, {
    bigCount,
    smallCount: 10_000,
    keyCount: 1,
  });
  await admin.query(moreData, [oldestDay, newestDay]);
  const { workspaceId, big } = data;
  const request = await openDashboard({ clock, database, workspaceId }, resources);
  const base = `/workspaces/${workspaceId}`;
  const paths: [what: string, path: string][] = [
    ["overview of 90 days, all apps", `${base}/overview`],
    ["overview of 90 days, big app", `${base}/overview?app=${big.id}`],
    ["overview of two years, big app", `${base}/overview?app=${big.id}&from=${oldestDay}`],
    ["what changed, big app", `${base}/apps/${big.id}/digest`],
    ["counts above the feed", `${base}/reviews/summary`],
    ["feed, first page", `${base}/reviews`],
    ["feed, stars and topic", `${base}/reviews?rating=1&topic=crash`],
    ["feed, a frequent word", `${base}/reviews?q=swell`],
    ["feed, a word without matches", `${base}/reviews?q=zeppelin`],
    ["feed, edited only", `${base}/reviews?editedOnly=true`],
    ["topics", `${base}/topics`],
    ["apps", `${base}/apps`],
  ];
  const figures: Figure[] = [];
  for (const [what, at] of paths) {
    const times: number[] = [];
    for (let round = 0; round < roundCount; round += 1) {
      const startMs = performance.now();
      await request(at);
      times.push(performance.now() - startMs);
    }
    const limit = what.startsWith("overview") ? "< 1000" : "< 500";
    figures.push({ part: "first", what: what, value: times[0] ?? 0, unit: "ms", limit });
    figures.push({ part: "median", what: what, value: medianOf(times), unit: "ms", limit });
  }
  printFigures(figures, { reviews: bigCount });
}
