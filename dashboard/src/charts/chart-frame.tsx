// The frame of a chart: its legend, the drawing, and the same numbers as a table. Screen readers get the
// table only.
import type { ReactNode } from "react";
import { Link } from "../components/link.tsx";
import { Table, type TableColumn } from "../components/table.tsx";
import styles from "./charts.module.css";

export type LegendItem = { label: string; colour: string; value?: string; to?: string };

type ChartFrameProps<Row> = {
  /** The caption of the table. */
  label: string;
  legend?: readonly LegendItem[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly TableColumn<Row>[];
  children: ReactNode;
};

export function ChartFrame<Row>({
  label,
  legend,
  rows,
  rowKey,
  columns,
  children,
}: ChartFrameProps<Row>) {
  return (
    <figure className={styles.frame}>
      {legend ? <Legend items={legend} /> : null}
      <div aria-hidden="true">{children}</div>
      <details className={styles.details}>
        <summary>
          View as table<span className="visually-hidden">: {label}</span>
        </summary>

        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
        <section className={styles.scroll} aria-label={`Table: ${label}`} tabIndex={0}>
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
