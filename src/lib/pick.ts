// Parts of an object by the names of its fields.

/** The named fields of a row that has them. */
export function pick<Row extends object>(row: Row, names: readonly string[]): Partial<Row> {
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => names.includes(name)),
  ) as Partial<Row>;
}

/** A row without the named fields. */
export function omit<Row extends object, const Name extends keyof Row>(
  row: Row,
  names: readonly Name[],
): Omit<Row, Name> {
  const omitted: readonly PropertyKey[] = names;
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !omitted.includes(name)),
  ) as Omit<Row, Name>;
}
