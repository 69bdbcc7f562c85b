// Parses JSON and reads values of an unknown shape: what is missing or of another type is
// null, and nothing throws.

export type Key = string | number;

/** Four times as many lists and objects as the largest page of a store has: a megabyte of brackets takes long. */
const bracketsMax = 100_000;

/** undefined when the text is not JSON, or has more lists or objects than `countMax`; null is a value. */
export function parseJson(text: string, countMax = bracketsMax): unknown {
  if (hasMore(text, "[{", countMax)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text has one of the characters more than `countMax` times. */
export function hasMore(text: string, chars: string, countMax: number): boolean {
  return [...chars].some((char) => {
    let count = 0;
    for (let at = text.indexOf(char); at !== -1; at = text.indexOf(char, at + 1)) {
      count += 1;
      if (count > countMax) return true;
    }
    return false;
  });
}

/** The value at a path of object keys and array indexes, or null; -1 is the last item of an array. */
export function valueAt(value: unknown, ...path: readonly Key[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (Array.isArray(found)) found = typeof key === "number" ? found.at(key) : null;
    else if (typeof found === "object" && found !== null && Object.hasOwn(found, key))
      found = (found as Record<Key, unknown>)[key];
    else return null;
  }
  return found ?? null;
}

export function textAt(value: unknown, ...path: readonly Key[]): string | null {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : null;
}

/** Finite numbers only. */
export function numberAt(value: unknown, ...path: readonly Key[]): number | null {
  const found = valueAt(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** Whole numbers from 0 only. */
export function countAt(value: unknown, ...path: readonly Key[]): number | null {
  const found = numberAt(value, ...path);
  return found !== null && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

export function listAt(value: unknown, ...path: readonly Key[]): unknown[] | null {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
