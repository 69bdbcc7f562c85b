// The ledger of a workspace's endpoint, owed and arrived: nothing owed may be missing, and nothing else may come.

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
  /** By path and id; how often it came. */
  const owed = new Set<string>();
  const arrived = new Map<string, number>();
  const keyOf = (path: string, id: string): string => `${path} ${id}`;
  return {
    /** Known before it can arrive. */
    owe(path: string, ids: Iterable<string>): void {
      for (const id of ids) owed.add(keyOf(path, id));
    },
    note(path: string, id: string): void {
      const key = keyOf(path, id);
      arrived.set(key, (arrived.get(key) ?? 0) + 1);
    },
    get arrivalCount(): number {
      return arrived.size;
    },
    listMissing: (): string[] => [...owed].filter((key) => !arrived.has(key)),
    listPhantoms: (): string[] => [...arrived.keys()].filter((key) => !owed.has(key)),
    summarise() {
      const duplicateCount = [...arrived.values()].filter((count) => count > 1).length;
      return { owedCount: owed.size, duplicateCount };
    },
  };
}
