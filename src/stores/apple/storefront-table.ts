// Tables of other names for Apple's storefronts, written as `us441 de443`: two letters of the storefront,
// then its other name.

export function parseStorefrontTable(table: string): ReadonlyMap<string, string> {
  const pairs = table.trim().split(/\s+/);
  return new Map(pairs.map((pair) => [pair.slice(0, 2), pair.slice(2)]));
}
