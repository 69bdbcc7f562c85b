// How long each owner lately held something that all share. The owner with the least use goes first: turns alone are not
// enough, because one person can have many workspaces.
import { keepRecent } from "./bounded-map.ts";
import { monotonicMs } from "./clock.ts";
import { secondMs } from "./timestamp.ts";

const halfLifeMs = 10 * secondMs;
const ownersMax = 1_000;

export function createRecentUse() {
  const uses = new Map<string, { ms: number; atMs: number }>();

  function msOf(owner: string): number {
    const use = uses.get(owner);
    return use ? use.ms * 0.5 ** ((monotonicMs() - use.atMs) / halfLifeMs) : 0;
  }
  return {
    msOf,
    add(owner: string, ms: number): void {
      const value = { ms: msOf(owner) + ms, atMs: monotonicMs() };
      keepRecent(uses, { key: owner, value, countMax: ownersMax });
    },
    /** The first item whose owner used the least; undefined without items. */
    pick<Item>(items: readonly Item[], ownerOf: (item: Item) => string): Item | undefined {
      const least = Math.min(...items.map((item) => msOf(ownerOf(item))));
      return items.find((item) => msOf(ownerOf(item)) <= least);
    },
  };
}
