// Clients keep tags, cursors, `Updated-Until`, idempotency keys and links. After a restore of an older backup, none of them
// means something else.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../src/config/config.ts";
import type { App } from "../src/domain/feed/listing.ts";
import { runBackup, runRestore } from "../src/features/backup/run-backup.ts";
import { openSharedLink } from "../src/features/sharing/open-link.ts";
import { linkKinds } from "../src/features/sharing/shared-link.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { anApp, anOwner, aReview, saveReviews } from "./support/factories.ts";
import { createSharedLink } from "./support/link-acts.ts";
import { hook, type ManageContext, openManageContext } from "./support/manage-context.ts";

let world: ManageContext;
let folder: string;
let app: App;
beforeAll(async () => {
  world = await openManageContext();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-restore-"));
  app = await anApp(world.database, { workspaceId: world.workspaceId });
  await saveReviews(
    world.database,
    app,
    Array.from({ length: 5 }, () => aReview()),
  );
});
afterAll(async () => {
  await fs.rm(folder, { recursive: true });
  await world.close();
});

const paths = () => [
  "/apps",
  "/reviews?limit=2",
  `/reviews?app=${app.id}`,
  `/trends?app=${app.id}`,
  `/ratings/history?app=${app.id}`,
  `/releases?app=${app.id}`,
  `/coverage?app=${app.id}`,
];

/** As many changes each time, of other content. */
async function change(words: string): Promise<void> {
  await world.call("PATCH", `/apps/${app.id}`, { name: words });
  await world.call("POST", "/own-topics", { name: "tides", phrases: [`${words} tide`] });
  await saveReviews(world.database, app, [aReview({ text: words, version: words })]);
}

const create = (key: string, name: string) =>
  world.send("POST", "/channels", {
    body: { name, url: hook },
    headers: { "Idempotency-Key": key },
  });

async function aLink(): Promise<string> {
  const { workspaceId } = world;
  const link = { workspaceId, viewId: null, name: "Week", query: "", frozen: null };
  const deps = { ...world, actor: await anOwner(world.database, workspaceId) };
  return (await createSharedLink(deps, { ...link, kind: "overview", days: 7 })).token;
}

const isOpen = async (token: string): Promise<boolean> =>
  (await openSharedLink(world, { token, kinds: linkKinds })) !== null;

test("after a restore each is refused, ignored or means the same", async () => {
  const deps = {
    config: {
      ...readConfig({ envFile: "none", env: {} }),
      ...{ dataDir: path.join(folder, "none"), databaseUrl: world.connectionString },
    },
    ...{ clock: systemClock, log: silentLog, note() {} },
  };
  const file = path.join(folder, "yesterday.tar.gz");
  const early = await create("early", "Early");
  const links = { early: await aLink(), late: "" };
  await runBackup(deps, { file, withKey: false });

  await change("lost");
  const late = await create("late", "Late");
  links.late = await aLink();
  const kept = [];
  for (const url of paths()) {
    const { status, headers, text } = await world.send("GET", url);
    kept.push({ url, status, text, tag: headers.get("etag") ?? "" });
  }
  expect(kept.map(({ status }) => status)).toEqual(kept.map(() => 200));
  const { nextCursor } = await world.call("GET", "/reviews?limit=2");
  const copied = await world.send("GET", "/reviews?updatedSince=2026-01-01T00:00:00Z&limit=100");
  const since = copied.headers.get("updated-until") ?? "";

  await world.queryDatabase(
    "drop schema starpost_v1 cascade; drop schema public cascade; create schema public",
  );
  await runRestore(deps, { file });
  await change("saved");

  for (const { url, tag, text } of kept) {
    const { status } = await world.send("GET", url, { headers: { "If-None-Match": tag } });
    const now = (await world.send("GET", url)).text;
    expect([url, status === 304 ? now : text]).toEqual([url, text]);
    if (url.startsWith("/reviews") || url === "/apps") expect([url, status]).toEqual([url, 200]);
  }
  expect((await world.send("GET", `/reviews?limit=2&cursor=${nextCursor}`)).status).toBe(200);
  const { reviews } = await world.call("GET", `/reviews?updatedSince=${since}&limit=100`);
  expect(reviews.map(({ text }: { text: string }) => text)).toContain("saved");
  expect([await isOpen(links.early), await isOpen(links.late)]).toEqual([true, false]);
  // Its channel is there, and is not created again; the other one is lost, and is.
  expect(Object(await create("early", "Early")).json).toEqual(early.json);
  const again = await create("late", "Late");
  expect([again.status, Object(again.json).channel.id]).not.toEqual([
    201,
    Object(late.json).channel.id,
  ]);
  const { channels } = await world.call("GET", "/channels");
  expect(channels.map(({ name }: { name: string }) => name).sort()).toEqual(["Early", "Late"]);
});
