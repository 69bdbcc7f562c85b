// The dashboard's groups of storefronts against the service's list.
import { expect, test } from "vitest";
import {
  euStorefronts,
  storefrontGroups,
  topStorefronts,
} from "../dashboard/src/pages/apps/storefront-groups.ts";
import { storefronts } from "../src/domain/store/storefronts.ts";

test("every storefront is in one group", () => {
  const grouped = storefrontGroups.flatMap(({ codes }) => codes);
  expect(grouped.toSorted()).toEqual([...storefronts]);
});

test("the sets have the number of storefronts that their names promise", () => {
  const known = (codes: readonly string[]) =>
    new Set(codes.filter((code) => storefronts.includes(code))).size;
  expect([known(topStorefronts), known(euStorefronts)]).toEqual([10, 27]);
});
