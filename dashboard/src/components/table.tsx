// A table from rows and columns. On a narrow screen a stacked one becomes a list of labelled values.
import type { ReactNode } from "react";
import styles from "./table.module.css";

export type TableColumn<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end, under each other. */
  end?: boolean;
  /** For a column of buttons: named for screen readers alone. */
  hideHead?: boolean;
};

type TableProps<Row> = {
  caption: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly TableColumn<Row>[];
  stacked?: boolean;
};

export function Table<Row>({ caption, rows, rowKey, columns, stacked = false }: TableProps<Row>) {
  return (
    <table className={stacked ? `${styles.table} ${styles.stacked}` : styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, end, hideHead }) => (
            <th key={head} scope="col" className={end ? styles.end : undefined}>
              {hideHead ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ head, cell, end, hideHead }) => (
              <td
                key={head}
                className={end ? styles.end : undefined}
                data-label={hideHead ? "" : head}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
