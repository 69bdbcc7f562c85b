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

type Trie = {
  /** For each state the units that lead on. */
  children: Map<number, number>[];
  ending: number[][];
};

export function buildAutomaton(patterns: readonly string[]): Automaton {
  const trie = plant(patterns);
  const fallback = linkFallbacks(trie);
  const symbols = numberUnits(trie);
  const table = new StepTable(trie, symbols);
  return {
    step(from, unit) {
      const symbol = symbols.of[unit] ?? 0;
      // No pattern has this unit: no suffix leads on either.
      if (symbol === 0) return rootState;
      let state = from;
      while (true) {
        const following = table.find(state, symbol);
        if (following > 0 || state === rootState) return following;
        state = fallback[state] ?? rootState;
      }
    },
    endingAt: (state) => trie.ending[state] ?? [],
  };
}

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

/** Small numbers for the units that occur in patterns; 0 for all others. */
type Symbols = { of: Uint16Array; count: number };

function numberUnits(trie: Trie): Symbols {
  const of = new Uint16Array(0x1_0000);
  let count = 1;
  for (const children of trie.children) {
    for (const unit of children.keys()) {
      if (of[unit] !== 0) continue;
      of[unit] = count;
      count += 1;
    }
  }
  return { of, count };
}

const free = -1;

/** A hash table with open addressing; half of its slots stay free. */
class StepTable {
  readonly #keys: Int32Array;
  readonly #states: Int32Array;
  readonly #mask: number;
  readonly #symbolCount: number;

  constructor({ children }: Trie, symbols: Symbols) {
    const size = 2 ** Math.ceil(Math.log2(children.length * 2 + 2));
    this.#keys = new Int32Array(size).fill(free);
    this.#states = new Int32Array(size);
    this.#mask = size - 1;
    this.#symbolCount = symbols.count;
    for (const [state, following] of children.entries()) {
      for (const [unit, child] of following) {
        const slot = this.#slotOf(state, symbols.of[unit] ?? 0);
        this.#keys[slot] = this.#keyOf(state, symbols.of[unit] ?? 0);
        this.#states[slot] = child;
      }
    }
  }

  /** The next state, or the root when there is none. */
  find(state: number, symbol: number): number {
    const slot = this.#slotOf(state, symbol);
    return this.#keys[slot] === free ? rootState : (this.#states[slot] ?? rootState);
  }

  #keyOf(state: number, symbol: number): number {
    return state * this.#symbolCount + symbol;
  }

  #slotOf(state: number, symbol: number): number {
    const key = this.#keyOf(state, symbol);
    // Knuth's multiplicative hash spreads neighbouring keys.
    let slot = (Math.imul(key, 0x9e37_79b1) >>> 7) & this.#mask;
    while (this.#keys[slot] !== free && this.#keys[slot] !== key) slot = (slot + 1) & this.#mask;
    return slot;
  }
}
