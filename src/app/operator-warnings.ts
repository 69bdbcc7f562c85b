// What the operator should change about how Starpost runs, though it starts: at the start and in `doctor`.

/** Sentences; usually none. */
export function listOperatorWarnings(): string[] {
  const isRoot = process.getuid?.() === 0;
  return isRoot
    ? [
        "this is root, who can do everything on this machine; run Starpost as a user of its own (docs/self-hosting.md)",
      ]
    : [];
}
