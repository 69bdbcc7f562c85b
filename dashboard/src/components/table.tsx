// A table. On a narrow screen a stacked one becomes a list of labelled values.
import type { ReactNode } from "react";
import styles from "./table.module.css";

export type TableColumn<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  /** For numbers. */
  alignEnd?: boolean;
  /** For a column of buttons: only screen readers get the header. */
  hideHeader?: boolean;
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
          {columns.map(({ header, alignEnd, hideHeader }) => (
            <th key={header} scope="col" className={alignEnd ? styles.end : undefined}>
              {hideHeader ? <span className="visually-hidden">{header}</span> : header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ header, cell, alignEnd, hideHeader }) => (
              <td
                key={header}
                className={alignEnd ? styles.end : undefined}
                data-label={hideHeader ? "" : header}
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
