// The data of the benchmark: apps of 10,000 reviews each over the same two years, a workspace for each, and one
// that follows the first hundred. An installation grows by adding apps; they are copies of the first, by SQL.
import type pg from "pg";
import type { Database } from "../../src/database/database.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { uuidV7 } from "../../src/lib/uuid.ts";
import { fillReviews, newestDay, oldestDay, reviewTexts, rollUp } from "../read-api/data.ts";

export const reviewsPerApp = 10_000;
export const wideAppCount = 100;
/** In five reviews of each app, all of them a year old or older. */
export const rareWord = "zeppelin";

export type ScaleData = {
  /** One of each workspace that follows one app. */
  apps: App[];
  /** Apps of the workspace that follows many, as soon as that many exist. */
  wide: { workspaceId: string; apps: App[] } | null;
};

const now = new Date(`${newestDay}T00:00:00Z`);

export async function loadData(database: Database): Promise<ScaleData> {
  const all = await database.listApps({ workspaceId: null });
  const counts = new Map<string, number>();
  for (const { workspaceId } of all) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  const apps = all.filter(({ workspaceId }) => counts.get(workspaceId) === 1);
  const many = all.filter(({ workspaceId }) => counts.get(workspaceId) === wideAppCount);
  const [one] = many;
  return { apps, wide: one ? { workspaceId: one.workspaceId, apps: many } : null };
}

/** Adds apps until there are as many, on all connections at once; those without reviews are filled first. */
export async function growTo(
  input: { database: Database; writers: readonly pg.Client[] },
  appCount: number,
): Promise<void> {
  const { database, writers } = input;
  const [admin] = writers;
  if (!admin) throw new Error("nobody writes");
  const { apps, wide } = await loadData(database);
  const isSmaller = apps.length < appCount;
  while (apps.length < appCount) apps.push(await addWorkspace(database, apps.length));
  const empty = await listEmpty(admin);
  const filled = apps.find(({ listingId }) => !empty.has(listingId));
  const first = filled ?? apps[0];
  if (!first) throw new Error("no app was asked for");
  if (!filled) await inTransaction(admin, () => fillFirst(admin, first.listingId));
  const missing = apps.filter((app) => app !== first && empty.has(app.listingId));
  const copies = await listCopies(admin);
  const copyNext = async (writer: pg.Client): Promise<void> => {
    for (let app = missing.pop(); app; app = missing.pop()) {
      const values = [first.listingId, app.listingId];
      await inTransaction(writer, async () => {
        for (const text of copies) await writer.query(text, values);
      });
    }
  };
  await Promise.all(writers.map(copyNext));
  if (!wide && apps.length >= wideAppCount) await addWide(database, apps);
  if (isSmaller || empty.size > 0) await admin.query("vacuum analyze");
}

/** An app is filled in one transaction, so that an interrupted run leaves it with all of its rows or none. */
async function listEmpty(admin: pg.Client): Promise<Set<string>> {
  const { rows } = await admin.query<{ id: string }>(
    `select id from listings l
     where not exists (select from review_weeks w where w.listing_id = l.id)`,
  );
  return new Set(rows.map(({ id }) => id));
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  await work();
  await client.query("commit");
}

async function addWorkspace(database: Database, index: number): Promise<App> {
  const workspaceId = uuidV7(now);
  const workspace = { id: workspaceId, name: `Bench ${index}`, plan: "studio", createdAt: now };
  await database.insertWorkspace({ ...workspace, plan: "studio" });
  const listing = { id: uuidV7(now), externalAppId: `app-${index}`, workspaceId: null };
  const { id: listingId } = await database.ensureListing({ ...listing, store: "appstore", now });
  return addApp(database, { workspaceId, listingId, name: `App ${index}` });
}

async function addApp(
  database: Database,
  app: { workspaceId: string; listingId: string; name: string },
): Promise<App> {
  const id = uuidV7(now);
  await database.insertApp({ id, ...app, countries: ["us"], languages: ["en"], addedAt: now });
  const found = await database.findApp({ id, workspaceId: app.workspaceId });
  if (!found) throw new Error("the new app is missing");
  return found;
}

async function addWide(database: Database, apps: readonly App[]): Promise<void> {
  const workspaceId = uuidV7(now);
  await database.insertWorkspace({
    ...{ id: workspaceId, name: "Wide", plan: "studio", createdAt: now },
  });
  for (const { listingId, name } of apps.slice(0, wideAppCount)) {
    await addApp(database, { workspaceId, listingId, name });
  }
}

async function fillFirst(admin: pg.Client, listingId: string): Promise<void> {
  await admin.query(fillReviews, [listingId, reviewsPerApp, ...reviewTexts(["us"])]);
  await admin.query(
    `update reviews set body = body || ' ' || $2 where (listing_id, id) in (
       select listing_id, id from reviews where listing_id = $1 order by date, id limit 5
     )`,
    [listingId, rareWord],
  );
  for (const text of rollUp) await admin.query(text, [listingId]);
  await admin.query(
    `insert into app_versions (listing_id, version, first_day)
     select $1, '4.' || n, $2::date + 14 * n from generate_series(0, 50) n`,
    [listingId, oldestDay],
  );
  await admin.query(
    `insert into snapshots (listing_id, region, day, average, total, histogram, captured_at)
     select $1, 'us', d, 4 + sin(n / 30.0) / 10, 1000 + n * 10, array[1, 2, 3, 4, 990 + n * 10], d
     from generate_series($2::date, $3::date, interval '1 day') with ordinality as d (d, n)`,
    [listingId, oldestDay, newestDay],
  );
}

const copied = [
  "reviews",
  "review_topics",
  "review_days",
  "review_weeks",
  "topic_days",
  "topic_weeks",
  "app_versions",
  "snapshots",
] as const;

// Up to the time between two reviews of an app: else the newest of all apps would be of the same second.
const shiftedDate = `date - ('x' || left(md5($2::text), 4))::bit(16)::integer % 6300 * interval '1 second'`;

/** Statements that copy the rows of the listing `$1` to the listing `$2`; ids of reviews are made of both. */
async function listCopies(admin: pg.Client): Promise<string[]> {
  const texts: string[] = [];
  for (const table of copied) {
    const { rows } = await admin.query<{ name: string }>(
      `select column_name::text as name from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'
       order by ordinal_position`,
      [table],
    );
    const idName = table === "reviews" ? "id" : "review_id";
    const values = rows.map(({ name }) => {
      if (name === "listing_id") return "$2::uuid";
      if (name === "date") return shiftedDate;
      return name === idName ? `md5($2::text || ${name}::text)::uuid` : name;
    });
    texts.push(
      `insert into ${table} (${rows.map(({ name }) => name).join(", ")})
       select ${values.join(", ")} from ${table} where listing_id = $1::uuid`,
    );
  }
  texts.push(`update listings l set version = 1, regions = o.regions, changed_at = o.changed_at
    from listings o where o.id = $1::uuid and l.id = $2::uuid`);
  return texts;
}
