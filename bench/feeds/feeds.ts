// A million apps on one database: what it costs to find those that are due, how far the reading falls behind, and how
// much memory the workers take. Hours pass in moved time, at the pace that is shared by two workers.
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { fillFeeds } from "./fill-feeds.ts";
import { simulateFeeds } from "./simulate-feeds.ts";

const options = readOptions(
  { name: "feeds", about: "Collecting the reviews of a million apps, in moved time." },
  {
    feeds: [1_000_000, "apps with one list of reviews each"],
    hours: [1, "hours of moved time"],
    rate: [6, "requests a second, by all workers together"],
    longest: [10_080, "minutes between two crawls of a list with few reviews, at most"],
  },
);
const resources = new ResourceStack();
const { admin, connection, database } = await openBenchDatabase(resources);
// The schedule is measured, not the disk.
await admin.query("alter role current_user set synchronous_commit = off");
const intervalMinutes = 60;
const bounds = { intervalMinutes, intervalMinutesMax: options.longest };
const filled = await fillFeeds(admin, { feedCount: options.feeds, ...bounds });
const result = await simulateFeeds({
  ...{ connection, database, resources, ...bounds },
  ...{ hours: options.hours, requestsPerSecond: options.rate },
  onProgress: (text) => process.stderr.write(`${text}\n`),
});
process.stdout.write(`${JSON.stringify({ ...filled, rate: options.rate, ...result })}\n`);
await resources.closeAll();
