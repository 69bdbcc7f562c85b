// The automaton of the phrase finder (Aho and Corasick, 1975): one step for each code unit of a text,
// whatever the number of patterns. It is stored in flat tables, because it steps for every code unit of
// every review.

export type Automaton = {
  /** The state that follows on one code unit. */
  step(state: number, unit: number): number;
  /** The state that follows before the first code unit of a word. */
  beginWord(state: number): number;
  /** The indexes of the patterns that end in a state, those of its suffixes included. */
  endingAt(state: number): readonly number[];
};

export const rootState = 0;
/** Of the trie, before the first letter of a word. */
const startState = 1;
const noSymbol = 0;

/** Stands in patterns before the first letter of a word. Not a character, so that no text is mistaken for it. */
export const wordStart = "\uffff";
const wordStartUnit = wordStart.charCodeAt(0);

/** In flat tables, because it has hundreds of thousands of states and every process builds it as it starts. */
type Trie = {
  stateCount: number;
  /** The code unit that leads to a state. */
  unitOf: Uint16Array;
  /** For each state its first child, and the next child of the same parent; the root for none. */
  firstChild: Int32Array;
  nextSibling: Int32Array;
  /** By code unit the children of the root and of the beginning of a word, because they are many. */
  rootChild: Int32Array;
  wordChild: Int32Array;
  /** Pattern indexes of the states that a pattern ends in. */
  ending: Map<number, number[]>;
};

/** @param spellings code units that are read as another one, which patterns are written with */
export function buildAutomaton(
  patterns: readonly string[],
  spellings: ReadonlyMap<number, number> = new Map(),
): Automaton {
  const trie = buildTrie(patterns);
  const symbols = numberSymbols(trie, spellings);
  const { symbolOf, links, first, firstOfWord, ending } = layOut(trie, {
    symbols,
    fallback: linkFallbacks(trie),
  });
  const startSymbol = symbols.of[wordStartUnit] ?? noSymbol;
  symbols.of[wordStartUnit] = noSymbol;
  const wordState = first[startSymbol] ?? rootState;
  const follow = (from: number, symbol: number): number => {
    // No pattern contains this code unit, so no suffix continues either.
    if (symbol === noSymbol) return rootState;
    for (let state = from; state !== rootState; state = links[state * 2 + 1] ?? rootState) {
      if (state === wordState) {
        const child = firstOfWord[symbol] ?? rootState;
        if (child !== rootState) return child;
        continue;
      }
      let child = links[state * 2] ?? rootState;
      let found = symbolOf[child] ?? noSymbol;
      while (found !== symbol && found !== noSymbol) {
        child += 1;
        found = symbolOf[child] ?? noSymbol;
      }
      if (found === symbol) return child;
    }
    return first[symbol] ?? rootState;
  };
  return {
    step: (state, unit) => follow(state, symbols.of[unit] ?? noSymbol),
    beginWord: (state) => (state === rootState ? wordState : follow(state, startSymbol)),
    endingAt: (state) => ending[state] ?? none,
  };
}

const none: readonly number[] = [];

function buildTrie(patterns: readonly string[]): Trie {
  const stateLimit = patterns.reduce((sum, { length }) => sum + length, 2);
  const trie: Trie = {
    stateCount: 1,
    unitOf: new Uint16Array(stateLimit),
    firstChild: new Int32Array(stateLimit),
    nextSibling: new Int32Array(stateLimit),
    rootChild: new Int32Array(0x1_0000),
    wordChild: new Int32Array(0x1_0000),
    ending: new Map(),
  };
  addChild(trie, rootState, wordStartUnit);
  for (const [index, pattern] of patterns.entries()) {
    let state = rootState;
    for (let at = 0; at < pattern.length; at += 1) {
      const unit = pattern.charCodeAt(at);
      state = findChild(trie, state, unit) || addChild(trie, state, unit);
    }
    addEnding(trie, state, [index]);
  }
  return trie;
}

/** The root when there is none. */
function findChild(trie: Trie, state: number, unit: number): number {
  if (state === rootState) return trie.rootChild[unit] ?? rootState;
  if (state === startState) return trie.wordChild[unit] ?? rootState;
  let child = trie.firstChild[state] ?? rootState;
  while (child !== rootState && trie.unitOf[child] !== unit) {
    child = trie.nextSibling[child] ?? rootState;
  }
  return child;
}

function addChild(trie: Trie, state: number, unit: number): number {
  const child = trie.stateCount;
  trie.stateCount += 1;
  trie.unitOf[child] = unit;
  trie.nextSibling[child] = trie.firstChild[state] ?? rootState;
  trie.firstChild[state] = child;
  if (state === rootState) trie.rootChild[unit] = child;
  if (state === startState) trie.wordChild[unit] = child;
  return child;
}

function addEnding({ ending }: Trie, state: number, indexes: readonly number[]): void {
  const known = ending.get(state);
  if (known) known.push(...indexes);
  else ending.set(state, [...indexes]);
}

function* childrenOf(trie: Trie, state: number): Generator<number> {
  let child = trie.firstChild[state] ?? rootState;
  while (child !== rootState) {
    yield child;
    child = trie.nextSibling[child] ?? rootState;
  }
}

/** The state to continue from when no child fits: the longest suffix that begins some pattern. */
function linkFallbacks(trie: Trie): Int32Array {
  const fallback = new Int32Array(trie.stateCount);
  // Level by level, because the fallback of a state depends on those of all shorter ones.
  const queue = new Int32Array(trie.stateCount);
  let queued = 1;
  for (const parent of queue) {
    for (const child of childrenOf(trie, parent)) {
      queue[queued] = child;
      queued += 1;
      if (parent === rootState) continue;
      const suffix = suffixOf(trie, { fallback, parent, unit: trie.unitOf[child] ?? 0 });
      fallback[child] = suffix;
      const endingToo = trie.ending.get(suffix);
      if (endingToo) addEnding(trie, child, endingToo);
    }
  }
  return fallback;
}

function suffixOf(
  trie: Trie,
  { fallback, parent, unit }: { fallback: Int32Array; parent: number; unit: number },
): number {
  let state = parent;
  while (state !== rootState) {
    state = fallback[state] ?? rootState;
    const following = findChild(trie, state, unit);
    if (following !== rootState) return following;
  }
  return rootState;
}

/** Small numbers for the code units that occur in patterns; `noSymbol` for all others. */
type Symbols = { of: Uint16Array; count: number };

function numberSymbols(trie: Trie, spellings: ReadonlyMap<number, number>): Symbols {
  const of = new Uint16Array(0x1_0000);
  let count = 1;
  for (let state = 1; state < trie.stateCount; state += 1) {
    const unit = trie.unitOf[state] ?? 0;
    if (of[unit] !== noSymbol) continue;
    of[unit] = count;
    count += 1;
  }
  for (const [unit, plain] of spellings) of[unit] = of[plain] ?? noSymbol;
  return { of, count };
}

type Layout = {
  /** The symbol that leads to a state; `noSymbol` for the root and at the end of a list of siblings. */
  symbolOf: Uint16Array;
  /** For each state its first child (the root for none) and its fallback. */
  links: Int32Array;
  /** The states that each symbol leads to from the root, and from the beginning of a word: the most frequent steps. */
  first: Int32Array;
  firstOfWord: Int32Array;
  ending: (readonly number[])[];
};

/** Renumbers the states so that siblings are adjacent and near their parent, for the processor's cache. */
function layOut(
  trie: Trie,
  { symbols, fallback }: { symbols: Symbols; fallback: Int32Array },
): Layout {
  const newStateOf = new Int32Array(trie.stateCount);
  let newStateCount = 1;
  const renumber = (state: number): void => {
    if (trie.firstChild[state] === rootState) return;
    for (const child of childrenOf(trie, state)) newStateOf[child] = newStateCount++;
    // The end of the siblings.
    newStateCount += 1;
    for (const child of childrenOf(trie, state)) renumber(child);
  };
  renumber(rootState);
  const layout: Layout = {
    symbolOf: new Uint16Array(newStateCount),
    links: new Int32Array(newStateCount * 2),
    first: new Int32Array(symbols.count),
    firstOfWord: new Int32Array(symbols.count),
    ending: Array.from({ length: newStateCount }, () => none),
  };
  for (let state = rootState; state < trie.stateCount; state += 1) {
    const at = newStateOf[state] ?? rootState;
    const symbol = symbols.of[trie.unitOf[state] ?? 0] ?? noSymbol;
    layout.links[at * 2] = newStateOf[trie.firstChild[state] ?? rootState] ?? rootState;
    layout.links[at * 2 + 1] = newStateOf[fallback[state] ?? rootState] ?? rootState;
    if (state !== rootState) layout.symbolOf[at] = symbol;
  }
  const fill = (table: Int32Array, parent: number): void => {
    for (const child of childrenOf(trie, parent)) {
      table[symbols.of[trie.unitOf[child] ?? 0] ?? noSymbol] = newStateOf[child] ?? rootState;
    }
  };
  fill(layout.first, rootState);
  fill(layout.firstOfWord, startState);
  for (const [state, indexes] of trie.ending) {
    layout.ending[newStateOf[state] ?? rootState] = indexes;
  }
  return layout;
}
