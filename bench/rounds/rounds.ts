// Simulates days of collecting many apps in moved time, with two processes and the command line on one
// database: whether every feed is read within twice the round that is announced, and no host faster than
// its pace. Exits with 1 where one of the two fails.
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { isFairAndPaced, simulateRounds, storefrontCount } from "./simulate-rounds.ts";

const options = readOptions(
  { name: "rounds", about: "Days of collecting many apps in moved time, by two processes." },
  {
    apps: [500, "followed apps"],
    days: [3, "days of moved time"],
    rate: [1, "requests a second and host"],
    interval: [60, "minutes between two crawls of a feed"],
    longest: [
      10_080,
      "the same for feeds with few reviews, where not all can be read within the interval",
    ],
    troubled: [0, "apps besides that answer 403 or hang, in turn"],
    reviews: [50, "reviews of each app at the start"],
  },
);
const resources = new ResourceStack();
const { admin, connection, database } = await openBenchDatabase(resources);
// The schedule is measured, not the disk.
await admin.query("alter role current_user set synchronous_commit = off");
const input = {
  ...{ admin, connection, database, resources, random: Math.random },
  ...{
    appCount: options.apps,
    troubledCount: options.troubled,
    reviewCount: options.reviews,
    days: options.days,
  },
  ...{ requestsPerSecond: options.rate, intervalMinutes: options.interval },
  intervalMinutesMax: options.longest,
  collectEveryHours: 6,
};
const result = await simulateRounds({
  ...input,
  onProgress: (text) => process.stderr.write(`${text}\n`),
});
const isGood = isFairAndPaced(result, input);
const facts = { apps: options.apps, storefronts: storefrontCount, days: options.days };
process.stdout.write(`${JSON.stringify({ ...facts, rate: options.rate, ...result, isGood })}\n`);
await resources.closeAll();
process.exit(isGood ? 0 : 1);
