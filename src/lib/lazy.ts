// Opens what is expensive when it is first needed, and only once.

/** Calls `open` at the first use and returns the same value from then on. */
export function lazy<Value>(open: () => Value): () => Value {
  let opened: { value: Value } | null = null;
  return () => {
    opened ??= { value: open() };
    return opened.value;
  };
}
