// Tables of all types of channels, stores, roles or plans have the union as the type of their keys, so that the compiler names
// the tables that a new member lacks.
import { expect, test } from "vitest";
import { channelTypeIds } from "../src/domain/channel/channel-types.ts";
import { memberRoles } from "../src/domain/people/user.ts";
import { plans } from "../src/domain/people/workspace.ts";
import { storeIds } from "../src/domain/store/store-id.ts";
import { listSourceFiles } from "./support/source-tree.ts";

const unions = [channelTypeIds, storeIds, memberRoles, plans].map((one) => new Set<string>(one));

/** The tables whose keys are typed as any text, by the names of their keys. */
function listLooseTables(code: string): string[] {
  const table = /: (?:Readonly<)?Record<\s*string,[^=;{]*>\s*= \{\n([\s\S]*?)\n\};/g;
  return [...code.matchAll(table)].flatMap(([, body = ""]) => {
    const keys = [...body.matchAll(/^ {2}"?([\w-]+)"?:/gm)].map(([, key = ""]) =>
      key.toLowerCase(),
    );
    const isLoose = unions.some((union) => keys.length > 1 && keys.every((key) => union.has(key)));
    return isLoose ? [keys.join(", ")] : [];
  });
}

test("no table of all members is typed by text", () => {
  const files = listSourceFiles(["src", "test", "dashboard/src", "sdk", "simulator", "bench"]);
  const found = files.flatMap(({ path, code }) =>
    listLooseTables(code).map((keys) => `${path}: ${keys}`),
  );
  expect(found).toEqual([]);
});

test("such a table is found", () => {
  const typed = "const one: Record<StoreId, number> = {\n  appstore: 1,\n  googleplay: 2,\n};";
  expect(listLooseTables(typed)).toEqual([]);
  const loose = typed.replace("StoreId", "string");
  expect(listLooseTables(loose)).toEqual(["appstore, googleplay"]);
});
