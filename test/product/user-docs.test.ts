// Pages for users say what the code does: fields, topics, proxies and messages; README's commands and the
// recipes run as they are printed.
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Review } from "../../src/domain/review/review.ts";
import { topicNames } from "../../src/domain/review/topics.ts";
import { reviewRowSchema, snapshotRowSchema } from "../../src/features/imports/files/import-row.ts";
import { importReviews } from "../../src/features/imports/import-reviews.ts";
import { ensureBuilt, runStarpost } from "../support/built-cli.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { openReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { root } from "../support/source-tree.ts";

const read = (file: string): string => fs.readFileSync(path.join(root, file), "utf8");

/** The first cells of the tables below a heading, without backticks. */
function listRows(file: string, heading: string): string[] {
  const [, after = ""] = read(file).split(`\n## ${heading}\n`);
  const [section = ""] = after.split("\n## ");
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name);
}

function fieldsOf(schema: { def: object }): string[] {
  return Object.keys(
    ("in" in schema.def ? (schema.def.in as { shape: object }) : { shape: {} }).shape,
  );
}

describe("tables", () => {
  const now = new Date("2026-11-22T00:00:00Z");

  test("import-format.md has every field", () => {
    const page = "docs/import-format.md";
    const sorted = (names: string[]) => [...names].sort();
    const options = { now };
    // Made of further columns of Starpost's own exports.
    expect([...listRows(page, "Reviews"), "stored"].sort()).toEqual(
      sorted(fieldsOf(reviewRowSchema(options))),
    );
    expect(sorted(listRows(page, "Ratings"))).toEqual(sorted(fieldsOf(snapshotRowSchema(options))));
  });

  test("topics.md has every topic, in their order, and every language of the word lists", () => {
    const text = read("docs/topics.md");
    const rows = [...(text.split("\n## ")[0] ?? "").matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(rows).toEqual([...topicNames]);
    const languages = [...text.matchAll(/^\| `([a-z]{2})` \| \w+ \|$/gm)].map(([, code]) => code);
    const files = fs.readdirSync(path.join(root, "src/analysis/words/topics"));
    expect(languages.map((code) => `${code}.txt`).sort()).toEqual(files.sort());
  });

  test("reverse-proxy.md shows the files of packaging/", () => {
    const files = ["caddy/Caddyfile", "nginx/starpost.conf", "haproxy/haproxy.cfg"];
    files.push("traefik/traefik.yaml", "traefik/starpost.yaml");
    for (const file of files) {
      expect(read("docs/reverse-proxy.md")).toContain(read(`packaging/${file}`));
    }
  });

  test("every message of troubleshooting.md stands in the source", () => {
    const source = fs
      .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => read(path.join("src", name)))
      .join("\n")
      // A message may quote the setting that was read.
      .replaceAll(/\$\{portSetting\}/g, "PORT")
      .replaceAll(/\$\{hostSetting\}/g, "HOST");
    const messages = [...read("docs/troubleshooting.md").matchAll(/^\| `([^`]+)` \|/gm)];
    expect(messages.length).toBeGreaterThan(10);
    const missing = messages.map(([, text = ""]) => text).filter((text) => !source.includes(text));
    expect(missing).toEqual([]);
  });
});

describe("commands", () => {
  let service: TestService;
  let folder: string;
  let other: TestDatabase;
  beforeAll(async () => {
    ensureBuilt();
    service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
    other = await cloneDatabase();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-readme-"));
  });
  afterAll(async () => {
    await service.close();
    await other.drop();
    fs.rmSync(folder, { recursive: true });
  });

  test("those of README's second terminal run from top to bottom, without stores in reach", async () => {
    const receiver = await openReceiver({ reply: { kind: "status", status: 204 } });
    const stores = ["ITUNES", "APPLE_APPS", "GOOGLE_PLAY", "FIREFOX_ADDONS"].map((name) => [
      `${name}_BASE_URL`,
      "http://127.0.0.1:1",
    ]);
    const env = {
      ...Object.fromEntries(stores),
      DATABASE_URL: other.connectionString,
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8",
    };
    const lines = [...read("README.md").matchAll(/^npx starpost (?!report|demo)(.*)$/gm)].map(
      ([, line = ""]) => line,
    );
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) {
      const args = [
        ...line.replace("https://example.com/hook", receiver.url).matchAll(/"([^"]*)"|(\S+)/g),
      ].map(([, quoted, word]) => quoted ?? word ?? "");
      // Nothing delivers here; src/cli/local-events.test.ts waits for the answer.
      if (args[1] === "test") args.push("--no-wait");
      const { code, stderr } = await runStarpost(args, { cwd: folder, env });
      expect([line, code, stderr.includes("error")]).toEqual([line, 0, false]);
    }
    await receiver.close();
  });

  test("the recipe keeps a copy in a table: first everything, then what changed", async () => {
    const app = await service.addApp({
      store: "appstore",
      externalAppId: "4242",
      isCollected: false,
    });
    const save = (ids: number[], rating: number, date = "2026-11-20"): Promise<unknown> => {
      const rows = ids.map((id) => ({
        id: `review-${id}`,
        rating,
        date,
        text: `It's ${id}`,
      }));
      const content = Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"));
      const source = { name: "r.jsonl", chunks: Readable.from([content]) };
      return importReviews(service.deps, {
        appId: app.id,
        workspaceId: null,
        source,
        notify: false,
      });
    };
    const program = path.join(root, "examples/pull-reviews/pull-reviews.mjs");
    const client = new pg.Client({ connectionString: other.connectionString });
    await client.connect();
    const pull = async (since: string): Promise<number> => {
      const { url, key } = service;
      const env = { STARPOST_URL: `${url}/api/v1`, STARPOST_KEY: key, STARPOST_SINCE: since };
      const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
      await client.query(stdout);
      return stdout.split("insert into starpost_reviews").length - 1;
    };
    const negative = { label: "negative", score: -1, clauseMin: -1, clauseMax: -1 } as const;
    const expectSameCopy = async (): Promise<void> => {
      const { reviews } = Object(await service.get("/reviews?rating=3,4,5"));
      const { rows } = await client.query(
        "select * from starpost_reviews where rating >= 3 order by id",
      );
      const listed = reviews.map((review: Record<string, unknown>) => ({
        id: review["id"],
        store: review["store"],
        external_app_id: review["externalAppId"],
        rating: review["rating"],
        title: review["title"],
        text: review["text"],
        version: review["version"],
        country: review["country"],
        language_of_translation: review["translatedFrom"],
        sentiment: Object(review["sentiment"]).label ?? null,
        topics: review["topics"],
        reviewed_at: new Date(String(review["date"])),
      }));
      const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
      expect(rows).toEqual(listed.sort(byId));
    };
    try {
      await save([...Array(130).keys()], 2);
      expect(await pull("")).toBe(130);
      const [, sql = ""] = /```sql\n([\s\S]*?)```/.exec(read("docs/pull-recipes.md")) ?? [];
      const weekly = await client.query(sql.replace("'989804926'", "'4242'"));
      expect(weekly.rows).toMatchObject([{ reviews: "130", average: "2.00" }]);
      const { rows: pulled } = await client.query("select until from starpost_pulled");
      await save([7, 130], 5, "2026-11-21");
      expect(await pull(pulled[0].until)).toBe(2);
      const { rows: counted } = await client.query(
        "select rating, count(*)::int from starpost_reviews group by 1 order by 1",
      );
      expect(counted).toEqual([
        { rating: 2, count: 129 },
        { rating: 5, count: 2 },
      ]);
      await expectSameCopy();
      // Every field that a review can change, one after the other.
      const changes: ((review: Review) => Partial<Review>)[] = [
        () => ({ rating: 3 }),
        () => ({ title: "Now" }),
        () => ({ text: "Ganz anders als zuvor" }),
        () => ({ version: "9.9" }),
        () => ({ country: "de" }),
        () => ({ translation: { text: "x", from: "de" } }),
        ({ analysis }) => ({ analysis: analysis && { ...analysis, sentiment: negative } }),
        ({ analysis }) => ({ analysis: analysis && { ...analysis, topics: ["crash", "login"] } }),
        ({ date }) => ({ date: new Date(date.getTime() - 1) }),
      ];
      const { listingId } = app;
      for (const change of changes) {
        const { rows } = await client.query("select until from starpost_pulled");
        await service.deps.database.transaction(async (tx) => {
          const stored = await tx.listReviewsById({ listingId, afterId: null, limit: 200 });
          const chosen = stored.filter(({ rating }) => rating >= 3);
          const reviews = chosen.map((review) => ({ ...review, ...change(review) }));
          await tx.updateReviews({ listingId, reviews });
        });
        expect(await pull(rows[0].until)).toBe(2);
        await expectSameCopy();
      }
    } finally {
      await client.end();
    }
  });
});
