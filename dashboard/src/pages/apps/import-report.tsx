// How a file was read: a line for each field, what was not read or assumed, the counts, and the rows that were rejected.

import type { ImportedFile } from "../../../../src/features/imports/contract.ts";
import { Alert } from "../../components/feedback.tsx";
import { Fold } from "../../components/fold.tsx";
import layout from "../../components/layout.module.css";
import { Table } from "../../components/table.tsx";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import styles from "./apps.module.css";

export function ImportReport({ result, isTrial }: { result: ImportedFile; isTrial: boolean }) {
  const { rejected, rejectedCount, warnings = [], warningCount = 0, reading } = result;
  return (
    <div className={layout.stack}>
      <Counts result={result} isTrial={isTrial} />
      {reading ? <Reading reading={reading} /> : null}
      <Rows title={`${formatQuantity(rejectedCount, "row")} rejected`} rows={rejected} />
      <Rows title={`${formatQuantity(warningCount, "row")} with values left out`} rows={warnings} />
    </div>
  );
}

function Counts({ result, isTrial }: { result: ImportedFile; isTrial: boolean }) {
  const { inserted, updated, unchanged, rejectedCount, skipped = 0 } = result;
  const facts = [
    [isTrial ? "New reviews" : "Added", inserted],
    ["Changed", updated],
    ["Known before", unchanged],
    ["Rejected rows", rejectedCount],
    ...(skipped > 0 ? [["Rows of other apps", skipped] as const] : []),
  ] as const;
  return (
    <dl className={styles.states}>
      {facts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Reading({ reading }: { reading: NonNullable<ImportedFile["reading"]> }) {
  const { fields, app, notRead, assumed, emptied, madeIds, alike, merged } = reading;
  const read = Object.entries(fields).map(([field, columns]) => ({ field, columns }));
  const others = notRead.map(({ column, values }) =>
    values === null ? column : `${column} (${formatQuantity(values, "value")})`,
  );
  const notes = [
    others.length > 0 && `Not read: ${others.join(", ")}`,
    app.length > 0 && `Names the app: ${app.join(", ")}`,
    assumed &&
      `${formatQuantity(assumed.rows, "date")} without a time zone, read as ${assumed.zone}`,
    emptied.length > 0 &&
      `Read as empty: ${emptied.map(({ cell, rows }) => `${cell} (${formatQuantity(rows, "row")})`).join(", ")}`,
    madeIds > 0 && `${formatQuantity(madeIds, "id")} made of author, date, words and stars`,
    alike > 0 &&
      `${formatQuantity(alike, "row")} with the author, date, words and stars of another row: each is a review of its own`,
    merged > 0 &&
      `${formatQuantity(merged, "row")} with the id of another row: versions of one review`,
  ].filter((note) => typeof note === "string");
  return (
    <div>
      <Table
        caption="How the columns of the file were read"
        rows={read}
        rowKey={({ field }) => field}
        columns={[
          { header: "Field", cell: ({ field }) => field },
          { header: "Column of the file", cell: ({ columns }) => columns.join(", ") },
        ]}
      />
      {notes.length > 0 ? (
        <ul className={styles.importNotes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

type Row = ImportedFile["rejected"][number];

function Rows({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <Alert kind="warn">
      <strong>{title}</strong>
      <Fold rows={rows} shownAtFirst={5}>
        {(shown) => (
          <ul className={styles.importNotes}>
            {shown.map(({ line, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line may have several reviews, and the list never changes.
              <li key={at}>{`Line ${line}: ${reason}`}</li>
            ))}
          </ul>
        )}
      </Fold>
    </Alert>
  );
}
