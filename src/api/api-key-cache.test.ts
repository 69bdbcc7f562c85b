import { expect, test } from "vitest";
import { startTime } from "../../test/support/factories.ts";
import { MovableClock } from "../../test/support/movable-clock.ts";
import type { ApiKeyOwner } from "../database/accounts/api-keys.ts";
import { silentLog } from "../lib/log.ts";
import { openApiKeyCache } from "./api-key-cache.ts";

const hashes = ["one", "two", "nobody"].map((key) => Buffer.from(key).toString("base64"));
const [one = "", two = "", nobody = ""] = hashes;

function openCache() {
  const queries: string[][] = [];
  let notify = (_payload: string): void => {};
  const keys = openApiKeyCache({
    clock: new MovableClock(startTime),
    log: silentLog,
    database: {
      async findApiKeyOwners({ hashes: queried }) {
        queries.push(queried.map((hash) => hash.toString("base64")));
        const known = queried.filter((hash) => hash.toString() !== "nobody");
        return known.map((hash) => ({ hash, ...ownerOf(hash.toString()) }));
      },
      listen(_channel, onChange) {
        notify = onChange;
        return () => {};
      },
    },
  });
  return { keys, queries, notify: (payload: string) => notify(payload) };
}

function ownerOf(key: string): ApiKeyOwner {
  return { name: "Test key", scope: "read", keyId: key, workspaceId: `of ${key}`, plan: "studio" };
}

test("each key is looked up once, also by requests of the same moment", async () => {
  const { keys, queries } = openCache();
  const found = await Promise.all([one, two, nobody, one].map((hash) => keys.find(hash)));
  expect(found).toEqual([ownerOf("one"), ownerOf("two"), null, ownerOf("one")]);
  expect(queries).toEqual([[one], [two], [nobody]]);
  await keys.find(two);
  expect(queries).toHaveLength(3);
});

test("a change notification makes the next request query again, also during a query", async () => {
  const { keys, queries, notify } = openCache();
  const before = keys.find(one);
  notify("one");
  await Promise.all([before, keys.find(one)]);
  expect(queries).toEqual([[one], [one]]);
  notify("one");
  await keys.find(one);
  expect(queries).toEqual([[one], [one], [one]]);
});
