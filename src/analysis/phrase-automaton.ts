// The automaton of the phrase finder (Aho and Corasick, 1975): one step for each code unit of a text,
// whatever the number of patterns. It is stored in flat tables, because it steps for every code unit of
// every review.

export type Automaton = {
  /** The state that follows on one code unit. */
  step(state: number, unit: number): number;
  /** The indexes of the patterns that end in a state, those of its suffixes included. */
  endingAt(state: number): readonly number[];
};

export const rootState = 0;
const noSymbol = 0;

type Trie = {
  /** For each state, the following states by code unit. */
  children: Map<number, number>[];
  ending: number[][];
};

/** @param spellings code units that are read as another one, which patterns are written with */
export function buildAutomaton(
  patterns: readonly string[],
  spellings: ReadonlyMap<number, number> = new Map(),
): Automaton {
  const trie = buildTrie(patterns);
  const symbols = numberSymbols(trie, spellings);
  const { symbolOf, links, first, ending } = layOut(trie, {
    symbols,
    fallback: linkFallbacks(trie),
  });
  return {
    step(from, unit) {
      const symbol = symbols.of[unit] ?? noSymbol;
      // No pattern contains this code unit, so no suffix continues either.
      if (symbol === noSymbol) return rootState;
      for (let state = from; state !== rootState; state = links[state * 2 + 1] ?? rootState) {
        let child = links[state * 2] ?? rootState;
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

function buildTrie(patterns: readonly string[]): Trie {
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

/** The state to continue from when no child fits: the longest suffix that begins some pattern. */
function linkFallbacks(trie: Trie): Int32Array {
  const fallback = new Int32Array(trie.children.length);
  // Level by level, because the fallback of a state depends on those of all shorter ones.
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

/** Small numbers for the code units that occur in patterns; `noSymbol` for all others. */
type Symbols = { of: Uint16Array; count: number };

function numberSymbols(trie: Trie, spellings: ReadonlyMap<number, number>): Symbols {
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
  /** The symbol that leads to a state; `noSymbol` for the root and at the end of a list of siblings. */
  symbolOf: Uint16Array;
  /** For each state its first child (the root for none) and its fallback. */
  links: Int32Array;
  /** The state that each symbol leads to from the root, the most frequent step. */
  first: Int32Array;
  ending: (readonly number[])[];
};

/** Renumbers the states so that siblings are adjacent and near their parent, for the processor's cache. */
function layOut(
  { children, ending }: Trie,
  { symbols, fallback }: { symbols: Symbols; fallback: Int32Array },
): Layout {
  const newStateOf = new Int32Array(children.length);
  let newStateCount = 1;
  const renumber = (state: number): void => {
    const siblings = [...(children[state] ?? new Map<number, number>()).values()];
    if (siblings.length === 0) return;
    for (const child of siblings) newStateOf[child] = newStateCount++;
    // The end of the siblings.
    newStateCount += 1;
    siblings.forEach(renumber);
  };
  renumber(rootState);
  const layout: Layout = {
    symbolOf: new Uint16Array(newStateCount),
    links: new Int32Array(newStateCount * 2),
    first: new Int32Array(symbols.count),
    ending: Array.from({ length: newStateCount }, () => none),
  };
  for (const [state, following] of children.entries()) {
    const at = newStateOf[state] ?? rootState;
    layout.ending[at] = ending[state] ?? none;
    layout.links[at * 2 + 1] = newStateOf[fallback[state] ?? rootState] ?? rootState;
    for (const [unit, child] of following) {
      const childAt = newStateOf[child] ?? rootState;
      layout.symbolOf[childAt] = symbols.of[unit] ?? noSymbol;
      layout.links[at * 2] ||= childAt;
      if (at === rootState) layout.first[symbols.of[unit] ?? noSymbol] = childAt;
    }
  }
  return layout;
}
