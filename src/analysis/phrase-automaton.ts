// The machine behind the phrase finder (Aho and Corasick, 1975): one step for each unit of a text,
// whatever the number of patterns. Its steps lie in flat tables, because they are taken for every unit
// of every review.

export type Automaton = {
  /** From a state over one unit to the next. */
  step(state: number, unit: number): number;
  /** The numbers of the patterns that end in a state, suffixes included. */
  endingAt(state: number): readonly number[];
};

export const rootState = 0;
const noSymbol = 0;

type Trie = {
  /** For each state the units that lead on. */
  children: Map<number, number>[];
  ending: number[][];
};

/** @param spellings units that stand for another one of the patterns */
export function buildAutomaton(
  patterns: readonly string[],
  spellings: ReadonlyMap<number, number> = new Map(),
): Automaton {
  const trie = plant(patterns);
  const symbols = numberUnits(trie, spellings);
  const { symbolOf, ways, first, ending } = layOut(trie, {
    symbols,
    fallback: linkFallbacks(trie),
  });
  return {
    step(from, unit) {
      const symbol = symbols.of[unit] ?? noSymbol;
      // No pattern has this unit: no suffix leads on either.
      if (symbol === noSymbol) return rootState;
      for (let state = from; state !== rootState; state = ways[state * 2 + 1] ?? rootState) {
        let child = ways[state * 2] ?? rootState;
        let found = symbolOf[child] ?? noSymbol;
        while (found !== symbol && found !== noSymbol) {
          child += 1;
          found = symbolOf[child] ?? noSymbol;
        }
        if (found === symbol) return child;
      }
      return first[symbol] ?? rootState;
    },
    endingAt: (state) => ending[state] ?? none,
  };
}

const none: readonly number[] = [];

function plant(patterns: readonly string[]): Trie {
  const trie: Trie = { children: [new Map()], ending: [[]] };
  for (const [index, pattern] of patterns.entries()) {
    let state = rootState;
    for (let at = 0; at < pattern.length; at += 1) {
      const unit = pattern.charCodeAt(at);
      const children = trie.children[state] ?? new Map<number, number>();
      const known = children.get(unit);
      state = known ?? trie.children.push(new Map()) - 1;
      if (known === undefined) {
        trie.ending.push([]);
        children.set(unit, state);
      }
    }
    trie.ending[state]?.push(index);
  }
  return trie;
}

/** Where to go on when no unit fits: the longest suffix that begins some pattern. */
function linkFallbacks(trie: Trie): Int32Array {
  const fallback = new Int32Array(trie.children.length);
  // Level by level: the fallback of a state needs that of every shorter one first.
  let level = [rootState];
  while (level.length > 0) {
    const deeper: number[] = [];
    for (const parent of level) {
      for (const [unit, child] of trie.children[parent] ?? []) {
        const suffix =
          parent === rootState ? rootState : suffixOf(trie, { fallback, parent, unit });
        fallback[child] = suffix;
        trie.ending[child]?.push(...(trie.ending[suffix] ?? []));
        deeper.push(child);
      }
    }
    level = deeper;
  }
  return fallback;
}

function suffixOf(
  trie: Trie,
  { fallback, parent, unit }: { fallback: Int32Array; parent: number; unit: number },
): number {
  let state = fallback[parent] ?? rootState;
  while (true) {
    const following = trie.children[state]?.get(unit);
    if (following !== undefined) return following;
    if (state === rootState) return rootState;
    state = fallback[state] ?? rootState;
  }
}

/** Small numbers for the units that occur in patterns; `noSymbol` for all others. */
type Symbols = { of: Uint16Array; count: number };

function numberUnits(trie: Trie, spellings: ReadonlyMap<number, number>): Symbols {
  const of = new Uint16Array(0x1_0000);
  let count = 1;
  for (const children of trie.children) {
    for (const unit of children.keys()) {
      if (of[unit] !== 0) continue;
      of[unit] = count;
      count += 1;
    }
  }
  for (const [unit, plain] of spellings) of[unit] = of[plain] ?? 0;
  return { of, count };
}

type Layout = {
  /** The symbol that leads to a state; none for the root and for the end of a row of children. */
  symbolOf: Uint16Array;
  /** For each state its first child, the root for none, and its fallback. */
  ways: Int32Array;
  /** Where each symbol leads from the root, which is asked most. */
  first: Int32Array;
  ending: (readonly number[])[];
};

/**
 * Numbers the states anew, so that the children of one stand in a row, and near it: what a text walks
 * through lies close together.
 */
function layOut(
  { children, ending }: Trie,
  { symbols, fallback }: { symbols: Symbols; fallback: Int32Array },
): Layout {
  const placeOf = new Int32Array(children.length);
  let placeCount = 1;
  const place = (state: number): void => {
    const row = [...(children[state] ?? new Map<number, number>()).values()];
    if (row.length === 0) return;
    for (const child of row) placeOf[child] = placeCount++;
    // The end of the row.
    placeCount += 1;
    row.forEach(place);
  };
  place(rootState);
  const layout: Layout = {
    symbolOf: new Uint16Array(placeCount),
    ways: new Int32Array(placeCount * 2),
    first: new Int32Array(symbols.count),
    ending: Array.from({ length: placeCount }, () => none),
  };
  for (const [state, following] of children.entries()) {
    const at = placeOf[state] ?? rootState;
    layout.ending[at] = ending[state] ?? none;
    layout.ways[at * 2 + 1] = placeOf[fallback[state] ?? rootState] ?? rootState;
    for (const [unit, child] of following) {
      const childAt = placeOf[child] ?? rootState;
      layout.symbolOf[childAt] = symbols.of[unit] ?? noSymbol;
      layout.ways[at * 2] ||= childAt;
      if (at === rootState) layout.first[symbols.of[unit] ?? noSymbol] = childAt;
    }
  }
  return layout;
}
