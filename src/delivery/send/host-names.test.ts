// Names that DNS does not know are asked of the system, and that slow names hold no others up.
import { expect, test } from "vitest";
import { createSystemNames } from "./host-names.ts";

test("a name that only the system knows is found, and one that no source knows is not", async () => {
  const resolve = createSystemNames();
  expect(await resolve("localhost")).toEqual(expect.arrayContaining(["127.0.0.1"]));
  const unknown = await Promise.all(["a", "b", "c"].map((name) => resolve(`${name}.invalid`)));
  expect(unknown).toEqual([[], [], []]);
});
