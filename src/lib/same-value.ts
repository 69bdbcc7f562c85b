// Equality of values as JSON holds them: whatever the order of keys, with null for what is left out.

export function isSameValue(one: unknown, other: unknown): boolean {
  return toSortedJson(one) === toSortedJson(other);
}

/** The JSON text with sorted keys, so that equal values have equal texts. */
export function toSortedJson(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
