// Horizontal bars for histograms and rankings, each a link to its reviews. They are text and links, so
// they need no table for screen readers.
import type { CSSProperties, ReactNode } from "react";
import { Link } from "../components/link.tsx";
import styles from "./charts.module.css";

export type Bar = {
  key: string;
  label: ReactNode;
  value: number;
  number: ReactNode;
  /** The unit of the number, for screen readers. */
  unit?: string;
  to?: string;
};

type BarListProps = {
  bars: readonly Bar[];
  colour: string;
  labelWidth: string;
  numberWidth?: string;
};

export function BarList({ bars, colour, labelWidth, numberWidth = "64px" }: BarListProps) {
  const highest = Math.max(1, ...bars.map((bar) => bar.value));
  const widths = { "--label": labelWidth, "--number": numberWidth } as CSSProperties;
  return (
    <ul className={styles.rows} style={widths}>
      {bars.map((bar) => (
        <li key={bar.key}>
          <Row bar={bar}>
            <span>{bar.label}</span>
            <span className={styles.track} aria-hidden="true">
              <span
                className={styles.bar}
                style={{
                  display: "block",
                  background: colour,
                  width: `${(bar.value / highest) * 100}%`,
                  visibility: bar.value === 0 ? "hidden" : "visible",
                }}
              />
            </span>
            <span className={styles.number}>
              {bar.number}
              {bar.unit ? <span className="visually-hidden"> {bar.unit}</span> : null}
            </span>
          </Row>
        </li>
      ))}
    </ul>
  );
}

function Row({ bar, children }: { bar: Bar; children: ReactNode }) {
  if (bar.to === undefined) return <div className={styles.row}>{children}</div>;
  return (
    <Link href={bar.to} className={styles.row}>
      {children}
    </Link>
  );
}

/** `5 ★`, read aloud as "5 stars". */
export function StarLabel({ stars }: { stars: number }) {
  return (
    <>
      {stars} <span aria-hidden="true">★</span>
      <span className="visually-hidden">{stars === 1 ? "star:" : "stars:"}</span>
    </>
  );
}
