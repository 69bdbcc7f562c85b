// starpost review list and export reviews by days: the filters of the Reviews page on the command line.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCliHarness } from "../../../test/support/cli-harness.ts";
import { anApp, aReview, aWorkspace, saveReviews } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";

let world: TestContext;
let harbour: { id: string };
let app: App;
let other: App;
const { run, runJson } = openCliHarness(() => world);

beforeAll(async () => {
  world = await openTestContext();
  const { clock, database } = world;
  harbour = await aWorkspace(database, { name: "Harbour" });
  app = await anApp(database, { workspaceId: harbour.id, name: "Tidepool" });
  other = await anApp(database, { workspaceId: harbour.id, name: "Reef" });
  const daysAgo = (count: number) => new Date(`${addDays(dayOf(clock.now()), -count)}T10:00:00Z`);
  await saveReviews(database, app, [
    aReview({ rating: 1, date: daysAgo(1), topics: ["crash"], text: "It\ncrashes. ".repeat(9) }),
    aReview({ rating: 2, date: daysAgo(5), sentiment: "negative", version: "4.3.0" }),
    aReview({ rating: 5, date: daysAgo(6) }),
    aReview({ rating: 1, date: daysAgo(30), topics: ["login"] }),
  ]);
  await saveReviews(database, other, [aReview({ rating: 1, date: daysAgo(2) })]);
});
afterAll(() => world.close());

async function list(...argv: string[]): Promise<[name: string, rating: number][]> {
  const { exitCode, value } = await runJson(["review", "list", ...argv]);
  expect(exitCode).toBe(0);
  return (value as unknown as { app: { name: string }; rating: number }[]).map(
    ({ app: { name }, rating }) => [name, rating],
  );
}

test("the newest reviews of all apps are listed first", async () => {
  expect(await list()).toEqual([
    ["Tidepool", 1],
    ["Reef", 1],
    ["Tidepool", 2],
    ["Tidepool", 5],
    ["Tidepool", 1],
  ]);
  expect(await list("--limit", "1")).toEqual([["Tidepool", 1]]);
});

test.each([
  [["--app", "Reef"], [["Reef", 1]]],
  [
    ["--app", "Tidepool", "--stars", "1,2", "--since", "7d"],
    [
      ["Tidepool", 1],
      ["Tidepool", 2],
    ],
  ],
  [["--topic", "crash"], [["Tidepool", 1]]],
  [["--filter", "version=4.3.0&sentiment=negative"], [["Tidepool", 2]]],
  [["--filter", "q=nothing like it"], []],
])("%j", async (argv, expected) => {
  expect(await list(...argv)).toEqual(expected);
});

test("--since takes a day", async () => {
  const since = addDays(dayOf(world.clock.now()), -2);
  expect(await list("--since", since)).toEqual([
    ["Tidepool", 1],
    ["Reef", 1],
  ]);
});

test("people get a table with a review on each line, scripts all of its text", async () => {
  const { stdout } = await run(["review", "list", "--topic", "crash"]);
  const [head, row, ...more] = stdout.trimEnd().split("\n");
  expect(head).toMatch(/^date +stars +app +country +version +topics +text +id$/);
  expect(row).toMatch(
    /Z +★ +Tidepool +us +4\.2\.1 +crash +Good tides: It crashes\. .{40,70}… +[\da-f-]{36}$/,
  );
  expect(more).toEqual([]);
  const { value } = await runJson(["review", "list", "--topic", "crash"]);
  expect(value).toMatchObject([{ topics: ["crash"], text: "It\ncrashes. ".repeat(9) }]);
});

test("the app's workspace counts where there are several", async () => {
  const { id: workspaceId } = await aWorkspace(world.database, { name: "Lighthouse" });
  const beam = await anApp(world.database, { workspaceId, name: "Beam" });
  await saveReviews(world.database, beam, [aReview({ rating: 3 })]);
  expect(await list("--app", "Beam")).toEqual([["Beam", 3]]);
  expect(await list("--workspace", "Lighthouse")).toEqual([["Beam", 3]]);
  const unnamed = await run(["review", "list"]);
  expect([unnamed.exitCode, unnamed.stderr.includes("Lighthouse")]).toEqual([2, true]);
  const foreign = await run(["review", "list", "--workspace", "Lighthouse", "--app", "Reef"]);
  expect([foreign.exitCode, foreign.stdout]).toEqual([1, ""]);
  await world.database.deleteWorkspace(workspaceId);
});

test("an export can be limited to days, both inclusive", async () => {
  const today = dayOf(world.clock.now());
  const ratings = async (...argv: string[]): Promise<number[]> => {
    const { value } = await runJson(["export", "reviews", "--app", "Tidepool", ...argv]);
    return (value as unknown as { rating: number }[]).map(({ rating }) => rating).sort();
  };
  expect(await ratings("--from", addDays(today, -5))).toEqual([1, 2]);
  expect(await ratings("--to", addDays(today, -6))).toEqual([1, 5]);
  const day = ["--from", addDays(today, -5), "--to", addDays(today, -5)];
  expect(await ratings(...day)).toEqual([2]);
});
