// The frame of a chart: its legend, the drawing, and the same numbers as a table for whoever can't see or
// point at it. The drawing itself is hidden from screen readers.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Table, type TableColumn } from "../components/table.tsx";
import styles from "./charts.module.css";

export type LegendItem = { label: string; colour: string; value?: string; to?: string };

type FigureProps<Row> = {
  /** What the table is called: the chart in a few words. */
  label: string;
  legend?: readonly LegendItem[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly TableColumn<Row>[];
  children: ReactNode;
};

export function Figure<Row>({ label, legend, rows, rowKey, columns, children }: FigureProps<Row>) {
  return (
    <figure className={styles.figure}>
      {legend ? <Legend items={legend} /> : null}
      <div aria-hidden="true">{children}</div>
      <details className={styles.details}>
        <summary>
          Numbers<span className="visually-hidden"> of {label}</span>
        </summary>
        {/* Reachable by keyboard, because it scrolls. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
        <section className={styles.scroll} aria-label={`Numbers of ${label}`} tabIndex={0}>
          <Table caption={label} rows={rows} rowKey={rowKey} columns={columns} />
        </section>
      </details>
    </figure>
  );
}

function Legend({ items }: { items: readonly LegendItem[] }) {
  return (
    <ul className={styles.legend}>
      {items.map(({ label, colour, value, to }) => (
        <li key={label}>
          <span className={styles.swatch} style={{ background: colour }} aria-hidden="true" />
          {to ? <Link href={to}>{label}</Link> : label}
          {value ? <strong>{value}</strong> : null}
        </li>
      ))}
    </ul>
  );
}
