// Quiet crawls: of an app whose reviews are all known. Prints the processor time and the statements of one crawl of its reviews and
// ratings. Ratios of commits count, in turns on one machine.
import pg from "pg";
import type { Http } from "../../src/lib/http.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { hourMs } from "../../src/lib/timestamp.ts";
import { openCrawlFixture } from "../../test/support/crawl-fixture.ts";
import { openDatabaseTime } from "../cpu-time.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";

const options = readOptions(
  { name: "quiet", about: "What a crawl costs that finds nothing new." },
  {
    store: ["googleplay", "googleplay or appstore"],
    reviews: [50, "reviews of the app"],
    crawls: [100, "crawls of each round"],
    rounds: [5, "rounds after one that is not reported"],
  },
);
const resources = new ResourceStack();
const { admin, database } = await openBenchDatabase(resources);
let statementCount = 0;
// Each statement passes here, whichever pool or transaction sends it.
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...input: unknown[]) {
  statementCount += 1;
  return Reflect.apply(query, this, input);
} as typeof query;
const readDatabaseUs = (await openDatabaseTime(admin)) ?? (() => 0);
const store = options.store === "appstore" ? "appstore" : "googleplay";
const answers = new Map<string, Awaited<ReturnType<Http>>>();
const fixture = await openCrawlFixture(
  { database },
  {
    store,
    // The simulator is not measured: each request has one answer.
    changeHttp: (http) => async (request) => {
      const key = JSON.stringify([request.url, request.body]);
      const answer = answers.get(key) ?? (await http(request));
      answers.set(key, answer);
      return answer;
    },
  },
);
fixture.writeReviews(options.reviews, { gapMs: 7 * hourMs });
await fixture.crawl();
for (let round = 0; round <= options.rounds; round += 1) {
  const before = { ...process.cpuUsage(), databaseUs: readDatabaseUs(), statementCount };
  for (let crawl = 0; crawl < options.crawls; crawl += 1) {
    fixture.harness.clock.advance(hourMs);
    await fixture.crawl();
  }
  const { user, system } = process.cpuUsage();
  const perCrawl = (sum: number): number => Math.round(sum / options.crawls);
  const measured = {
    processUs: perCrawl(user + system - before.user - before.system),
    databaseUs: perCrawl(readDatabaseUs() - before.databaseUs),
    statements: (statementCount - before.statementCount) / options.crawls,
  };
  if (round > 0) process.stdout.write(`${JSON.stringify({ store, ...measured })}\n`);
}
await fixture.close();
await resources.closeAll();
