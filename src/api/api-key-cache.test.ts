import { expect, test } from "vitest";
import { startTime } from "../../test/support/factories.ts";
import type { ApiKeyOwner } from "../database/repositories/api-keys.ts";
import { MovableClock } from "../lib/clock.ts";
import { openApiKeyCache } from "./api-key-cache.ts";

const hashes = ["one", "two", "nobody"].map((key) => Buffer.from(key).toString("base64"));
const [one = "", two = "", nobody = ""] = hashes;

function openHolders() {
  const asked: string[][] = [];
  let tell = (_payload: string): void => {};
  const holders = openApiKeyCache({
    clock: new MovableClock(startTime),
    database: {
      async findApiKeyOwners(wanted) {
        asked.push(wanted.map((hash) => hash.toString("base64")));
        const known = wanted.filter((hash) => hash.toString() !== "nobody");
        return known.map((hash) => ({ hash, ...holderOf(hash.toString()) }));
      },
      listen(_channel, hear) {
        tell = hear;
        return () => {};
      },
    },
  });
  return { holders, asked, tell: (payload: string) => tell(payload) };
}

function holderOf(key: string): ApiKeyOwner {
  return { keyId: key, workspaceId: `of ${key}`, plan: "studio" };
}

test("keys that are asked for at the same moment share one query, each with its own answer", async () => {
  const { holders, asked } = openHolders();
  const found = await Promise.all([one, two, nobody, one].map((hash) => holders.find(hash)));
  expect(found).toEqual([holderOf("one"), holderOf("two"), null, holderOf("one")]);
  expect(asked).toEqual([[one, two, nobody]]);
  await holders.find(two);
  expect(asked).toHaveLength(1);
});

test("news of a key makes the next request ask again, also while a query is being gathered", async () => {
  const { holders, asked, tell } = openHolders();
  const before = holders.find(one);
  tell("one");
  await Promise.all([before, holders.find(one)]);
  expect(asked).toEqual([[one]]);
  tell("one");
  await holders.find(one);
  expect(asked).toEqual([[one], [one]]);
});
