// Parts of an object by the names of its fields.

/** The named fields of a row that has them. */
export function pick<Row extends object>(row: Row, names: readonly string[]): Partial<Row> {
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => names.includes(name)),
  ) as Partial<Row>;
}
