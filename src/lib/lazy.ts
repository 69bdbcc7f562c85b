// Puts off what is dear to open until somebody needs it, and does it a single time.

/** Calls `open` at the first use and keeps what it gave. */
export function once<Value>(open: () => Value): () => Value {
  let opened: { value: Value } | null = null;
  return () => {
    opened ??= { value: open() };
    return opened.value;
  };
}
