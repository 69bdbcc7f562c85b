// Work for the tests of the work pool.

export function add(one: number, other: number): number {
  return one + other;
}

export function refuse(): never {
  throw new RangeError("not today");
}

export async function measure(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return size;
}

/** Reads one piece and never ends. */
export async function readAndSpin(chunks: AsyncIterable<Uint8Array>): Promise<never> {
  for await (const _ of chunks) spin();
  return spin();
}

export function spin(): never {
  for (;;);
}

export function swell(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array(1_000_000).fill(1));
}
