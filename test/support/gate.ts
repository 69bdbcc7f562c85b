// Holds something back until a test lets it go on.

export type Gate = { opened: Promise<void>; open(): void };

export function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
