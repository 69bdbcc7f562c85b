// The SQL views as a reader of one workspace meets them: their columns and types, its rows, and what it can't reach
// whatever it tries. SECURITY.md promises the latter.
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endReaders } from "../src/database/migrate.ts";
import type { App } from "../src/domain/feed/listing.ts";
import * as topicStatements from "../src/features/own-topics/sql.ts";
import type { CreatedSqlUser } from "../src/features/sql-users/operations.ts";
import * as triage from "../src/features/triage/sql.ts";
import { closeDangerousFunctions } from "../src/lib/postgres/dangerous-functions.ts";
import { deleteWorkspace } from "./support/acts.ts";
import { anApp, aReview, aWorkspace, saveReviews, saveSnapshots } from "./support/factories.ts";
import { root } from "./support/source-tree.ts";
import { createSqlUser, removeSqlUser } from "./support/sql-user-acts.ts";
import { openTestContextWithClient } from "./support/test-context.ts";

let context: Awaited<ReturnType<typeof openTestContextWithClient>>;
let own: { workspaceId: string; app: App; user: CreatedSqlUser };
let other: { workspaceId: string; app: App; user: CreatedSqlUser };
let reader: pg.Client;
let owner: string;
beforeAll(async () => {
  context = await openTestContextWithClient();
  // Both follow the same app, in other storefronts.
  own = await aReader({ countries: ["us"] });
  other = await aReader({ countries: ["us", "gb"] });
  const secret = { text: "secret plan", country: "gb", rating: 1, topics: ["crash"] };
  const reviews = [aReview({ text: "for all", country: "us", topics: ["login"] }), aReview(secret)];
  await saveReviews(context.database, own.app, reviews);
  await saveSnapshots(context.database, own.app, [{ region: "us" }, { region: "gb", total: 77 }]);
  reader = await connect(own.user);
  owner = (await context.client.query("select current_user as name")).rows[0].name;
});
afterAll(async () => {
  await reader.end();
  for (const { user } of [own, other]) await removeSqlUser(depsOf(), { id: user.id });
  await context.close();
});

const depsOf = () => ({ ...context, actor: "test" });

async function aReader({ countries }: { countries: string[] }) {
  const { id: workspaceId } = await aWorkspace(context.database);
  const externalAppId = "4242";
  const app = await anApp(context.database, { workspaceId, externalAppId, countries });
  return { workspaceId, app, user: await createSqlUser(depsOf(), { workspaceId, name: "bi" }) };
}

async function connect({ role, password }: CreatedSqlUser): Promise<pg.Client> {
  const url = new URL(context.connectionString);
  url.username = role;
  url.password = password;
  const client = new pg.Client(url.href);
  client.on("error", () => {});
  await client.connect();
  return client;
}

const rowsOf = async (client: pg.Client, text: string) => (await client.query(text)).rows;

test("a migration ends sessions that hold locks on the tables", async () => {
  const third = await aReader({ countries: ["us"] });
  const idle = await connect(third.user);
  await idle.query("begin; select count(*) from starpost_v1.reviews");
  const { client } = context;
  const waits = () =>
    client.query(
      "begin; set local lock_timeout = 200; lock table reviews in access exclusive mode; rollback",
    );
  await expect(waits()).rejects.toThrow("lock timeout");
  await client.query("rollback; begin");
  await endReaders(client);
  await client.query("commit");
  await expect
    .poll(() =>
      waits().then(
        () => "free",
        () => client.query("rollback"),
      ),
    )
    .toBe("free");
  await expect(idle.query("select 1")).rejects.toThrow();
  await removeSqlUser(depsOf(), { id: third.user.id });
  await reader.end();
  reader = await connect(own.user);
});

describe("the contract", () => {
  const page = fs.readFileSync(path.join(root, "docs/sql.md"), "utf8");

  test.each(["reviews", "ratings", "trends", "topics"])(
    "docs/sql.md has the columns of %s with their types, in their order",
    async (view) => {
      const [, section = ""] = new RegExp(`^## ${view}$([\\s\\S]*?)(?=^## )`, "m").exec(page) ?? [];
      const documented = [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \| ([^|]*)\|$/gm)];
      const found = await rowsOf(
        context.client,
        `select attname as name, format_type(atttypid, atttypmod) as type,
           coalesce(col_description(attrelid, attnum), '') as words from pg_attribute
         where attrelid = 'starpost_v1.${view}'::regclass and attnum > 0 order by attnum`,
      );
      const shown = documented.map(([, name, type, words = ""]) => ({
        ...{ name, type },
        // Tools show the words as comments.
        words: words.trim().replaceAll("`", ""),
      }));
      expect(shown).toEqual(found);
    },
  );

  test("every view is a barrier that runs with the rights of its owner", async () => {
    const views = await rowsOf(
      context.client,
      `select relname, reloptions from pg_class where relnamespace = 'starpost_v1'::regnamespace order by relname`,
    );
    expect(views).toEqual(
      ["ratings", "reviews", "topics", "trends"].map((relname) => ({
        ...{ relname, reloptions: ["security_barrier=true"] },
      })),
    );
  });

  test("a condition on days is checked where reviews are read, and regions are computed for each app instead of each review", async () => {
    const lines = await rowsOf(
      context.client,
      "explain (costs off) select count(*) from starpost_v1.reviews where date >= now() - interval '1 day'",
    );
    const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/ on reviews r\n(?:.*Recheck.*\n)?.*(?:Index Cond|Filter): .*date >=/);
    // Where they are computed for a review, each of the two ways to find them is there twice.
    expect(plan.match(/^ *SubPlan \d+$/gm)).toHaveLength(2);
  });

  test("the page has the statement for one's own PostgreSQL", () => {
    expect(page).toContain(`\`\`\`sql\n${closeDangerousFunctions("starpost")}\n\`\`\``);
  });

  test("the examples of the page run as a reader", async () => {
    const [, selects = ""] = page.split("## Examples");
    const examples = [...selects.matchAll(/^```sql\n([\s\S]*?)^```$/gm)];
    expect(examples.length).toBeGreaterThan(1);
    for (const [, text = ""] of examples) await reader.query(text);
  });
});

describe("a reader", () => {
  test("sees the reviews of its storefronts with topics, tags and status of its workspace", async () => {
    const { database, clock } = context;
    const { workspaceId, app } = own;
    const all = await rowsOf(reader, "select id, text, topics, tags, is_done from reviews");
    expect(all).toMatchObject([{ text: "for all", topics: ["login"], tags: [], is_done: false }]);
    const reviewId: string = all[0]?.id;
    const work = { tags: ["refund"], assigneeId: null, isDone: true, now: clock.now() };
    await database.with(triage).saveReviewWork({ workspaceId, reviewId, ...work });
    const topic = { id: reviewId, workspaceId, name: "tides", phrases: ["tide"] };
    await database.with(topicStatements).insertOwnTopic({ ...topic, createdAt: clock.now() });
    await context.client.query("insert into own_topic_reviews select $1, $2, 4, '', now(), $1", [
      reviewId,
      app.id,
    ]);
    const [changed] = await rowsOf(reader, "select topics, tags, is_done from reviews");
    expect(changed).toEqual({ topics: ["login", "tides"], tags: ["refund"], is_done: true });
    const foreign = await connect(other.user);
    const seen = await rowsOf(foreign, "select text, topics, tags from reviews order by text");
    await foreign.end();
    expect(seen).toEqual([
      { text: "for all", topics: ["login"], tags: [] },
      { text: "secret plan", topics: ["crash"], tags: [] },
    ]);
  });

  test("sees ratings, trends and topics of its storefronts", async () => {
    expect(await rowsOf(reader, "select country, total, stars_5 from ratings")).toEqual([
      { country: "us", total: "10", stars_5: "5" },
    ]);
    const trends = await rowsOf(reader, "select app_id, reviews, stars_1, negative from trends");
    expect(trends).toEqual([{ app_id: own.app.id, reviews: "1", stars_1: "0", negative: "0" }]);
    expect(await rowsOf(reader, "select topic, reviews from topics")).toEqual([
      { topic: "login", reviews: "1" },
    ]);
  });

  test("begins read-only, with limits of time and connections", async () => {
    for (const [name, value] of Object.entries({
      default_transaction_read_only: "on",
      statement_timeout: "1min",
      lock_timeout: "5s",
      idle_session_timeout: "1h",
      client_connection_check_interval: "10s",
    })) {
      expect(await rowsOf(reader, `show ${name}`)).toEqual([{ [name]: value }]);
    }
    const [limit] = await rowsOf(
      reader,
      "select rolconnlimit as max, rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user",
    );
    expect(limit).toEqual({ max: 10, rolsuper: false, rolcreaterole: false, rolcreatedb: false });
  });
});

describe("isolation: a reader of one workspace", () => {
  let attacker: pg.Client;
  beforeAll(async () => {
    attacker = await connect(own.user);
    await attacker.query("set default_transaction_read_only = off");
  });
  afterAll(() => attacker.end());

  test("reads no table of the service", async () => {
    const tables = await rowsOf(
      context.client,
      `select oid::regclass::text as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')`,
    );
    expect(tables.length).toBeGreaterThan(40);
    const readable: string[] = [];
    for (const { name } of tables) {
      const refused = await attacker.query(`select * from public.${name} limit 1`).then(
        () => false,
        ({ code }) => code === "42501",
      );
      if (!refused) readable.push(name);
    }
    expect(readable).toEqual([]);
  });

  test.each([
    ["the owner's role", () => `set role ${owner}`],
    ["the superuser's role", () => "set role postgres"],
    ["the session of another", () => `set session authorization ${other.user.role}`],
    ["the role of another reader", () => `set role ${other.user.role}`],
    ["the role of another, by a grant", () => `grant ${other.user.role} to current_user`],
    ["more rights for itself", () => `alter role ${own.user.role} createrole`],
    ["its name", () => `alter role ${own.user.role} rename to ${other.user.role}`],
    [
      "a row in the list of readers",
      () => "insert into public.sql_users select * from public.sql_users",
    ],
    ["the views", () => "create or replace view starpost_v1.reviews as select 1"],
    ["the conditions of a view", () => "alter view starpost_v1.reviews reset (security_barrier)"],
    ["rows by a view", () => "update starpost_v1.ratings set total = 0"],
    ["a function of the service", () => "select public.begin_change()"],
    ["a function", () => "create function starpost_v1.f() returns int language sql as 'select 1'"],
    [
      "a function in public",
      () => "create function public.f() returns int language sql as 'select 1'",
    ],
    [
      "a temporary function",
      () => "create function pg_temp.f() returns int language sql as 'select 1'",
    ],
    ["a temporary table", () => "create temporary table reviews (id int)"],
    ["a table", () => "create table public.loot (id int)"],
    ["a schema", () => "create schema loot"],
    ["files of the server", () => "select pg_read_file('postgresql.conf')"],
    ["programs of the server", () => "copy (select 1) to program 'id'"],
    ["passwords", () => "select rolpassword from pg_authid"],
    [
      "sessions of others",
      () => `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${owner}'`,
    ],
  ])("can't have %s", async (_, statement) => {
    await expect(attacker.query(statement())).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|0A000|55000)$/),
    });
    await attacker.query("reset role");
  });

  test("learns nothing by functions that see rows before a condition, or fail at one", async () => {
    const leaks = [
      "select text from reviews where text ~ '^secret'",
      "select 1 / (case when text like 'secret%' then 0 else 1 end) from reviews",
      "select text from reviews where 1 / (case when text like 'secret%' then 0 else 1 end) = 0",
      "select text::int from reviews where text like 'secret%'",
      "select total from ratings where total = 77",
      "select topic from topics where topic = 'crash'",
      "select xmlparse(content query_to_xml('select text from starpost_v1.reviews', true, false, '')::text)::text",
    ];
    for (const text of leaks) {
      const outcome = await attacker.query(text).then(
        ({ rows }) => JSON.stringify(rows),
        ({ message }) => String(message),
      );
      expect(outcome).not.toMatch(/secret|77|crash|division/);
    }
    const [{ plan } = { plan: "" }] = await rowsOf(
      attacker,
      "select string_agg(tablename, ',') as plan from pg_stats where schemaname = 'public'",
    );
    expect(plan).toBeNull();
  });

  test("sees nothing as the group of all readers", async () => {
    await attacker.query(`set role ${owner}_sql`);
    expect(await rowsOf(attacker, "select * from starpost_v1.reviews")).toEqual([]);
    await attacker.query("reset role");
  });

  test("does not see what other sessions ask", async () => {
    const seen = await rowsOf(
      attacker,
      "select distinct query from pg_stat_activity where usename <> current_user and query <> ''",
    );
    expect(seen.map(({ query }) => query)).toEqual(
      seen.length === 0 ? [] : ["<insufficient privilege>"],
    );
  });
});

describe("the life of a SQL user", () => {
  test("its password is in no statement, and the database has a verifier", async () => {
    const { rows } = await context.client.query(
      "select count(*)::int as count from audit where action = 'sql_user.created'",
    );
    expect(rows[0].count).toBeGreaterThan(1);
    const wrong = connect({ ...own.user, password: "guess" });
    await expect(wrong).rejects.toMatchObject({ code: "28P01" });
  });

  test("removing it ends its sessions and its role", async () => {
    const { user } = await aReader({ countries: ["us"] });
    const open = await connect(user);
    const ended = new Promise((resolve) => open.once("end", resolve));
    await removeSqlUser(depsOf(), { id: user.id });
    await ended;
    await expect(connect(user)).rejects.toMatchObject({ code: "28P01" });
    await expect(removeSqlUser(depsOf(), { id: user.id })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("it goes with its workspace", async () => {
    const { user, workspaceId } = await aReader({ countries: ["us"] });
    await deleteWorkspace(depsOf(), { id: workspaceId });
    await expect(connect(user)).rejects.toMatchObject({ code: "28P01" });
  });

  test("a database that is spread over servers refuses it", async () => {
    const spread = await openTestContextWithClient();
    await spread.client.query("update distribution set is_distributed = true");
    const { id: workspaceId } = await aWorkspace(spread.database);
    const made = createSqlUser({ ...spread, actor: "test" }, { workspaceId, name: "bi" });
    await expect(made).rejects.toMatchObject({ code: "conflict" });
    await spread.close();
  });
});
