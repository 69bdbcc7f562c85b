// Tables of what Apple calls its storefronts elsewhere, written as `us441 de443`: two letters of the
// storefront, and the rest is its other name.

export function readStorefrontTable(table: string): ReadonlyMap<string, string> {
  const pairs = table.trim().split(/\s+/);
  return new Map(pairs.map((pair) => [pair.slice(0, 2), pair.slice(2)]));
}
