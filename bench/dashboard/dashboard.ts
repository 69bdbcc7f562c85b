// The response times of the dashboard API on a workspace with many reviews: each request alone, over HTTP on
// loopback. Prints one table and one line of JSON. `--reviews` sets the size of the big app.
import type { Database } from "../../src/database/database.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { aChannel } from "../../test/support/factories.ts";
import { MovableClock } from "../../test/support/movable-clock.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { createBenchData, insertApp, newestDay, oldestDay } from "../read-api/data.ts";
import { type Figure, medianOf, printFigures } from "../read-api/report.ts";
import { openDashboard } from "./service.ts";

const options = readOptions(
  { name: "dashboard", about: "How long the dashboard's requests take, each by itself." },
  {
    reviews: [1_000_000, "reviews of the big app"],
    rounds: [9, "how often each request is measured"],
    apps: [100, "apps of the workspace"],
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

const rollups = ["review_days", "review_weeks", "topic_days", "topic_weeks"];

/** Copies a listing's rows of a table besides its reviews to another listing. */
const copyRows = `select format('insert into %1$s (listing_id, %2$s) select $2::uuid, %2$s from %1$s where listing_id = $1::uuid',
    table_name, string_agg(quote_ident(column_name), ', ')) as text
  from information_schema.columns
  where table_schema = current_schema() and table_name = any($1) and column_name <> 'listing_id' group by table_name`;

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
  const { workspaceId, big, small } = data;
  const now = clock.now();
  const { rows: copies } = await admin.query(copyRows, [rollups]);
  for (let number = 2; number < options.apps; number += 1) {
    const { countries } = small;
    const added = await insertApp(database, { workspaceId, name: `${number}`, countries, now });
    for (const { text } of copies) await admin.query(text, [small.listingId, added.listingId]);
  }
  await admin.query(moreData, [oldestDay, newestDay]);
  await admin.query("analyze");
  const channels = await insertChannels(database, { workspaceId, count: 20 });
  const request = await openDashboard({ clock, database, workspaceId }, resources);
  const base = `/workspaces/${workspaceId}`;
  const paths: [what: string, ...paths: string[]][] = [
    [
      "Overview with all that the page loads",
      `${base}/overview`,
      `${base}/app-names`,
      `${base}/alerts`,
    ],
    ["overview of 90 days, all apps", `${base}/overview`],
    ["overview of 90 days, big app", `${base}/overview?app=${big.id}`],
    ["overview of two years, big app", `${base}/overview?app=${big.id}&from=${oldestDay}`],
    ["counts above the feed", `${base}/reviews/summary`],
    ["feed, first page", `${base}/reviews`],
    ["feed, stars and topic", `${base}/reviews?rating=1&topic=crash`],
    ["feed, a frequent word", `${base}/reviews?q=swell`],
    ["feed, a word without matches", `${base}/reviews?q=zeppelin`],
    ["feed, edited only", `${base}/reviews?edited=true`],
    ["topics", `${base}/topics`],
    ["apps", `${base}/apps`],
    ["one app", `${base}/apps/${big.id}`],
    ["channels", `${base}/channels`],
    ["one channel", `${base}/channels/${channels[0]}`],
    ["alerts", `${base}/alerts`],
  ];
  const figures: Figure[] = [];
  for (const [what, ...all] of paths) {
    const times: number[] = [];
    for (let round = 0; round < roundCount; round += 1) {
      const startMs = performance.now();
      await Promise.all(all.map(request));
      times.push(performance.now() - startMs);
    }
    const limit = what.toLowerCase().startsWith("overview") ? "< 1000" : "< 500";
    figures.push({ part: "first", what: what, value: times[0] ?? 0, unit: "ms", limit });
    figures.push({ part: "median", what: what, value: medianOf(times), unit: "ms", limit });
  }
  printFigures(figures, { reviews: bigCount, apps: options.apps });
}

async function insertChannels(
  database: Database,
  { workspaceId, count }: { workspaceId: string; count: number },
): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const channel = aChannel({ workspaceId, createdAt: clock.now(), name: `Channel ${number}` });
    await database.insertChannel({ ...channel, encryptedSecret: Buffer.alloc(64, 1) });
    ids.push(channel.id);
  }
  return ids;
}
