import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { aChannel } from "../../test/support/factories.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { systemClock } from "../lib/clock.ts";
import { silentLog } from "../lib/log.ts";
import { createSecretBox, keyIdOfKey } from "../lib/secret-box.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { loadEncryptionKeys, reencryptSecrets } from "./encryption-key.ts";

const clock = systemClock;
let root: string;
let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  root = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-test-"));
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
  await fs.rm(root, { recursive: true });
});
beforeEach(async () => {
  await database?.close();
  await testDatabase?.drop();
  testDatabase = await cloneDatabase();
  database = await openDatabase({ log: silentLog, connection: testDatabase });
});

function openKeys(dataDir: string, encryptionKeys: Buffer[] | null = null): Promise<Buffer[]> {
  return loadEncryptionKeys({
    clock,
    database,
    config: { dataDir: path.join(root, dataDir), encryptionKey: encryptionKeys },
  });
}

async function keepChannel(key: Buffer): Promise<string> {
  const now = clock.now();
  const workspaceId = uuidV7(now);
  await database.insertWorkspace({ id: workspaceId, name: "Keys", plan: "studio", createdAt: now });
  const channel = aChannel({ workspaceId, createdAt: now, url: "https://example.com/in" });
  const encryptedSecret = createSecretBox([key]).seal("whsec_invented", channel.id);
  await database.insertChannel({ ...channel, encryptedSecret });
  return channel.id;
}

test("a new database gets one key, in a file that only its owner can read, and every start finds it", async () => {
  const [first] = await openKeys("one");
  expect(await openKeys("one")).toEqual([first]);
  const { mode } = await fs.stat(path.join(root, "one", "starpost.key"));
  expect(mode & 0o777).toBe(0o600);
});

test("of two data folders that start at once on one database only one creates a key", async () => {
  const starts = await Promise.allSettled([openKeys("here"), openKeys("there")]);
  const made = starts.filter(({ status }) => status === "fulfilled");
  const refused = starts.filter((start) => start.status === "rejected");
  expect([made.length, refused.length]).toEqual([1, 1]);
  expect(refused[0]?.reason).toMatchObject({ code: "invalid_setting" });
  expect(await database.listEncryptionKeys()).toHaveLength(1);
});

test("another data folder is refused before it creates a key, with what would help", async () => {
  await openKeys("service");
  const refused = openKeys("elsewhere");
  await expect(refused).rejects.toThrow(/ENCRYPTION_KEY.*starpost\.key/);
  await expect(fs.stat(path.join(root, "elsewhere"))).rejects.toThrow("ENOENT");
});

test("a key file of another database is refused even while nothing is encrypted", async () => {
  const elsewhere = path.join(root, "foreign");
  await fs.mkdir(elsewhere);
  await fs.writeFile(path.join(elsewhere, "starpost.key"), randomBytes(32).toString("base64"));
  await openKeys("own");
  await expect(openKeys("foreign")).rejects.toThrow("ENCRYPTION_KEY");
});

test("a key from the setting replaces one that encrypted nothing", async () => {
  await openKeys("lost");
  const set = randomBytes(32);
  expect(await openKeys("lost", [set])).toEqual([set]);
  expect(await database.listEncryptionKeys()).toEqual([keyIdOfKey(set)]);
});

test("a secret with a missing key stops the start, whichever process encrypted it", async () => {
  const [mine, theirs] = [randomBytes(32), randomBytes(32)];
  await openKeys("", [mine]);
  await keepChannel(theirs);
  await expect(openKeys("", [mine])).rejects.toThrow(keyIdOfKey(theirs));
  expect(await openKeys("", [mine, theirs])).toEqual([mine, theirs]);
});

test("once everything is encrypted with the new key the old one can be left out", async () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  await openKeys("", [older]);
  const id = await keepChannel(older);
  const keys = await openKeys("", [newer, older]);
  const box = createSecretBox(keys);
  expect(await reencryptSecrets({ clock, database }, { box, keys })).toBe(1);
  expect(await openKeys("", [newer])).toEqual([newer]);
  const sealed = await database.findChannelSecret(id);
  expect(createSecretBox([newer]).open(sealed?.encryptedSecret ?? Buffer.alloc(0), id)).toBe(
    "whsec_invented",
  );
  expect(await reencryptSecrets({ clock, database }, { box, keys })).toBe(0);
});

test("the secret before a rotation and a second factor move to the new key as well", async () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  await openKeys("", [older]);
  const id = await keepChannel(older);
  const now = clock.now();
  const oldEndsAt = new Date(now.getTime() + 3_600_000);
  const encryptedSecret = createSecretBox([older]).seal("whsec_rotated", id);
  await database.setChannelSecret({ id, encryptedSecret, oldEndsAt });
  const user = { id: uuidV7(now), email: "ida@example.com", name: "Ida", createdAt: now };
  await database.insertUser({ ...user, passwordHash: "" });
  const factor = createSecretBox([older]).seal("a secret", user.id);
  await database.insertSecondFactor({ id: user.id, encryptedSecret: factor, createdAt: now });
  const keys = await openKeys("", [newer, older]);
  const box = createSecretBox(keys);
  expect(await reencryptSecrets({ clock, database }, { box, keys })).toBe(3);
  expect(await openKeys("", [newer])).toEqual([newer]);
  const moved = (await database.findSecondFactor(user.id))?.encryptedSecret;
  expect(createSecretBox([newer]).open(moved ?? Buffer.alloc(0), user.id)).toBe("a secret");
});

test("a secret that was altered stops the re-encryption with a clear message", async () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  await openKeys("", [older]);
  const id = await keepChannel(older);
  const sealed = await database.findChannelSecret(id);
  const altered = Buffer.from(sealed?.encryptedSecret ?? []);
  altered.writeUInt8((altered.at(-1) ?? 0) ^ 1, altered.length - 1);
  await database.setChannelSecret({ id, encryptedSecret: altered });
  const keys = await openKeys("", [newer, older]);
  const box = createSecretBox(keys);
  await expect(reencryptSecrets({ clock, database }, { box, keys })).rejects.toMatchObject({
    code: "invalid_setting",
    message: expect.stringContaining(id),
  });
});
