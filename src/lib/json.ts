// Parses JSON and reads values of a shape that nobody promised: what is missing or of another type is
// null, and nothing throws.

export type Key = string | number;

/** undefined when the text is no JSON; null is a value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value at a path of object keys and array indexes, or null. */
export function valueAt(value: unknown, ...path: readonly Key[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return null;
    found = (found as Record<Key, unknown>)[key];
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
