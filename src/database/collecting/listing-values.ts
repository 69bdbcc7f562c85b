// What an ingest inserts, on several servers: rows as values with their listing go to its server at once, while a `select`
// from arrays would bring them to the coordinator first.
import { isDistributed } from "../cluster/distributed-reads.ts";
import { type Db, queryRows } from "../query.ts";

/** At most so many rows in one statement. */
const rowsMax = 100;

/** Rows without their listing, which is the first column. */
export async function insertListingValues(
  db: Db,
  insert: {
    into: string;
    listingId: string;
    rows: readonly (readonly unknown[])[];
    rest?: string;
  },
): Promise<void> {
  const { into, listingId: key, rows, rest = "" } = insert;
  for (let start = 0; start < rows.length; start += rowsMax) {
    const { text, values } = writeInsert({
      into,
      key,
      rows: rows.slice(start, start + rowsMax),
      rest,
    });
    await queryRows(db, "", text, values);
  }
}

/** Inserts rows of a listing, by columns without the listing: from arrays on one server, as values on several. */
export async function addRows(
  db: Db,
  add: {
    name: string;
    into: string;
    listingId: string;
    types: readonly string[];
    columns: readonly (readonly unknown[])[];
    rest: string;
  },
): Promise<void> {
  const { name, into, listingId, types, columns, rest } = add;
  if (await isDistributed(db)) {
    const rows = (columns[0] ?? []).map((_, index) => columns.map((column) => column[index]));
    return insertListingValues(db, { into, listingId, rows, rest });
  }
  const arrays = types.map((type, index) => `$${index + 2}::${type}[]`).join(", ");
  const text = `insert into ${into} select $1, * from unnest(${arrays}) ${rest}`;
  await queryRows(db, name, text, [listingId, ...columns]);
}

/** Rows without their key, which is the first column. */
function writeInsert(insert: {
  into: string;
  key: number | string;
  rows: readonly (readonly unknown[])[];
  rest: string;
}): { text: string; values: unknown[] } {
  const { into, key, rows, rest } = insert;
  const tuples = rows.map((row, index) => {
    const places = row.map((_, place) => `$${index * row.length + place + 2}`);
    return `($1, ${places.join(", ")})`;
  });
  const text = `insert into ${into} values ${tuples.join(", ")} ${rest}`;
  return { text, values: [key, ...rows.flatMap((row) => [...row])] };
}
