// `starpost report` as people run it: from an empty folder, against simulated stores, to a file whose numbers are those of the
// read API on the same data.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Replay } from "../../simulator/replay.ts";
import {
  createSampleStores,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "../../simulator/sample-stores.ts";
import { openSimulator, type Simulator } from "../../simulator/simulator.ts";
import { StoreState } from "../../simulator/store-state.ts";
import { openEmbeddedServer } from "../../src/features/embedded-postgres/server.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { ensureBuilt, runStarpost, startServe, startStarpost } from "../support/built-cli.ts";
import { hasRecordings, recordedFolder } from "../support/recorded.ts";
import { waitFor } from "../support/wait-for.ts";

let simulator: Simulator;
let folder: string;
let cwd: string;
let names = 0;

beforeAll(async () => {
  ensureBuilt();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-report-"));
  const storeState = new StoreState(systemClock);
  createSampleStores({ clock: systemClock, storeState, pastDays: 120, isStory: true });
  storeState.addApp({ store: "appstore", externalAppId: "1987009999", name: "Nobody's" });
  simulator = await openSimulator({ clock: systemClock, storeState });
});
beforeEach(async () => {
  names += 1;
  cwd = path.join(folder, `run-${names}`);
  await fs.mkdir(cwd);
  simulator.faultFlags.disable();
});
afterAll(async () => {
  await simulator?.close();
  await fs.rm(folder, { recursive: true, force: true });
});

const links = [
  `https://apps.apple.com/us/app/id${sampleAppStoreApp.externalAppId}`,
  `https://play.google.com/store/apps/details?id=${sampleGooglePlayApp.externalAppId}`,
];

function envOf(cache = path.join(folder, "cache"), url = simulator.url): Record<string, string> {
  const stores = [
    "ITUNES_BASE_URL",
    "APPLE_APPS_BASE_URL",
    "GOOGLE_PLAY_BASE_URL",
    "FIREFOX_ADDONS_BASE_URL",
  ];
  return {
    ...Object.fromEntries(stores.map((name) => [name, url])),
    ...{ XDG_CACHE_HOME: cache, COLLECT_REQUESTS_PER_SECOND: "1000" },
  };
}

const report = (argv: readonly string[], env = envOf()) =>
  runStarpost(["report", ...argv], { cwd, env });

describe("a report of two apps by their links", { shuffle: false }, () => {
  test("is one file without requests, with progress by storefront, and continues from the cache", async () => {
    const first = await report(links);
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining("report.html")]);
    expect(first.stdout).toMatch(/^\S*apps\s+Driftnote/i);
    expect(first.stderr).toMatch(
      /appstore us: \d+ reviews; list \d+ of \d+, \d+ reviews in all, about \d+ s left/,
    );
    const page = await fs.readFile(path.join(cwd, "report.html"), "utf8");
    expect(page.length).toBeLessThan(1_500_000);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect((await fs.readdir(cwd)).sort()).toEqual(["report.html"]);
    const requestCount = simulator.requests.length;
    const again = await report([...links, "--json"]);
    expect(again.code).toBe(0);
    expect(simulator.requests.length - requestCount).toBeLessThan(requestCount);
    // An earlier file is kept: a folder gets a new one, and a name is refused.
    expect((await report([...links])).stdout).toContain("report-2.html");
    expect((await fs.readdir(cwd)).sort()).toEqual(["report-2.html", "report.html"]);
    const kept = await report([...links, "--out", "report.html"]);
    expect([kept.code, kept.stderr]).toEqual([2, expect.stringContaining("--overwrite")]);
    expect(await fs.readFile(path.join(cwd, "report.html"), "utf8")).toBe(page);
    expect((await report([...links, "--out", "report.html", "--overwrite"])).code).toBe(0);
    const fresh = await report([...links, "--json", "--fresh"]);
    const total = (text: string) => JSON.parse(text).overview.overview.reviews.total;
    expect(total(fresh.stdout)).toBe(total(again.stdout));
  });

  test("has the numbers of the read API on the same data", async () => {
    const { stdout } = await report([...links, "--json", "--days", "60"]);
    const { overview, apps } = JSON.parse(stdout);
    const { range, reviews } = overview.overview;
    const env = { ...envOf(), DATA_DIR: path.join(folder, "cache/starpost/report"), PORT: "0" };
    const [workspace] = JSON.parse(
      (await runStarpost(["workspace", "list", "--json"], { cwd, env })).stdout,
    );
    const made = ["key", "create", "--workspace", workspace.id, "--name", "Test", "--json"];
    const { key } = JSON.parse((await runStarpost(made, { cwd, env })).stdout);
    const service = await startServe({ cwd, env: { ...env, ROLES: "api" } });
    const headers = { authorization: `Bearer ${key}` };
    const ids = apps.map(({ id }: { id: string }) => id).join(",");
    const found: { rating: number; sentiment: { label: string } | null }[] = [];
    for (let cursor = ""; ; ) {
      const query = new URLSearchParams({
        app: ids,
        ...range,
        limit: "100",
        ...(cursor && { cursor }),
      });
      const response = await fetch(`${service.url}/api/v1/reviews?${query}`, { headers });
      const page = JSON.parse(await response.text());
      found.push(...page.reviews);
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    await service.stop();
    const countOf = (label: string) => found.filter((one) => one.sentiment?.label === label).length;
    expect(found).toHaveLength(reviews.total);
    const sum = found.reduce((stars, { rating }) => stars + rating, 0);
    expect(reviews.averageRating).toBeCloseTo(sum / found.length, 2);
    expect(reviews.sentiment.negative).toBe(countOf("negative"));
    expect(reviews.sentiment.positive).toBe(countOf("positive"));
  });

  test("is made anew where another version has left its cache", async () => {
    const cache = path.join(folder, "other-version");
    const [link = ""] = links;
    const first = await report([link, "--json"], envOf(cache));
    expect(first.code).toBe(0);
    const dataDir = path.join(cache, "starpost/report");
    const server = await openEmbeddedServer({ dataDir, log: silentLog });
    const client = new pg.Client(server.connection);
    await client.connect();
    await client.query(
      "insert into migrations (number, name, digest) values (900, '900-later.sql', '')",
    );
    await client.end();
    await server.close();
    const second = await report([link, "--json"], envOf(cache));
    expect([second.code, second.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  });

  test("is Markdown for a ticket, and compares two apps", async () => {
    const { code, stdout } = await report([...links, "--format", "markdown", "--compare"]);
    expect(code).toBe(0);
    for (const heading of ["# Driftnote", "## Store ratings", "## Releases", "## Topics"])
      expect(stdout).toContain(heading);
    const { stdout: json } = await report([...links, "--json", "--compare"]);
    expect(JSON.parse(json).comparison).toMatchObject({ kind: "comparison" });
  });

  test("is written of what is there when it is stopped", async () => {
    const env = envOf(path.join(folder, "stopped"));
    const child = startStarpost(["report", ...links], {
      cwd,
      env: { ...env, COLLECT_REQUESTS_PER_SECOND: "4" },
    });
    const count = simulator.requests.length;
    await waitFor(async () => simulator.requests.length > count + 12, {
      withinMs: 30_000,
      what: () => "some requests",
    });
    child.kill("SIGINT");
    const { code, stderr } = await child.result;
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining("the report is written of what is there"),
    ]);
    expect(await fs.readFile(path.join(cwd, "report.html"), "utf8")).toContain(
      "The reading was stopped",
    );
  });
});

describe.skipIf(!hasRecordings())("recorded pages of a real app", () => {
  const app = "com.google.android.apps.translate";

  test("are sources of a report", async () => {
    const reviews = `play-batchexecute/reviews_UsvDTd_${app}_en_us_newest_p1.txt`;
    const replay = new Replay({
      folder: recordedFolder,
      entries: [
        { kind: "play-reviews", externalAppId: app, region: "en", file: reviews },
        {
          kind: "play-details",
          externalAppId: app,
          file: `play-details-html/${app}_en_us.html`,
        },
      ],
    });
    const store = await openSimulator({ clock: systemClock, replay });
    const env = envOf(path.join(folder, "recorded"), store.url);
    const link = `https://play.google.com/store/apps/details?id=${app}`;
    const ended = await report([link, "--languages", "en", "--days", "3650", "--json"], env);
    await store.close();
    expect([ended.code, ended.stdout.slice(0, 500)]).toEqual([0, expect.stringContaining("{")]);
    const { overview } = JSON.parse(ended.stdout).overview;
    expect(overview.reviews.total).toBe(150);
    expect(overview.apps[0].rating.total).toBe(9_039_805);
  });
});

describe("a report of a file", () => {
  const lines = [
    "reviewId,score,at,content",
    ...Array.from(
      { length: 20 },
      (_, index) =>
        `r${index},${1 + (index % 5)},${new Date(Date.now() - index * 86_400_000).toISOString()},It crashes again and again`,
    ),
  ].join("\n");

  test("has its reviews", async () => {
    await fs.writeFile(path.join(cwd, "reviews.csv"), lines);
    const { code, stdout } = await report(["reviews.csv", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).overview.overview.reviews.total).toBe(20);
  });

  test.each([
    ["empty.csv", "", /it is empty/],
    ["notes.csv", "a,b\n1,2\n", /id|date|rating/],
  ])("%s is refused with the reason", async (name, text, reason) => {
    await fs.writeFile(path.join(cwd, name), text);
    const { code, stderr } = await report([name]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
    expect(await fs.readdir(cwd)).toEqual([name]);
  });
});

describe("what can't be reported has one line that says why", () => {
  test.each([
    [
      "a link of something else",
      ["https://example.com/app/id1987004512"],
      2,
      /not a link to an app/,
    ],
    ["an app that no storefront has", ["1999999999"], 1, /no app|not found|1999999999/],
    ["an app without reviews", ["1987009999"], 1, /has no reviews/],
    ["no word at all", [], 2, /need a link/],
    ["a format", ["1987004512", "--format", "pdf"], 2, /html/],
    ["a number of days", ["1987004512", "--days", "0"], 2, /days/],
    ["a country", ["1987004512", "--countries", "zz"], 2, /zz/],
    [
      "a folder that is not there",
      ["1987004512", "--out", "none/report.html"],
      2,
      /can't be written/,
    ],
    ["a file that is not there", ["gone.csv"], 2, /gone\.csv/],
  ])("%s", async (_, argv, code, reason) => {
    const ended = await report(argv);
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(reason)]);
    expect(await fs.readdir(cwd)).toEqual([]);
  });

  test("a store that refuses", async () => {
    simulator.faultFlags.enable({ fault: "refused", status: 403 });
    const ended = await report([links[0] ?? ""], envOf(path.join(folder, "refused")));
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/403|refus|block/i)]);
  });

  test("no network", async () => {
    const env = envOf(path.join(folder, "offline"), "http://127.0.0.1:9");
    const ended = await report([links[0] ?? ""], env);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/refused|reached/)]);
  });

  test("a cache that can't be written", async () => {
    await fs.writeFile(path.join(cwd, "file"), "");
    const ended = await report([links[0] ?? ""], envOf(path.join(cwd, "file")));
    expect([ended.code, ended.stderr]).toEqual([
      1,
      expect.stringMatching(/cache folder.*can't be written.*XDG_CACHE_HOME/),
    ]);
  });
});
