// Stacked columns over time as SVG: one column a week, one colour a part, each column a way to the reviews
// behind it. It measures its own width and keeps its height.
import { useState } from "react";
import { useLocation } from "wouter";
import { formatShort } from "../format/numbers.ts";
import styles from "./charts.module.css";
import { useWidth } from "./element-width.ts";

export type ColumnPart = { key: string; label: string; colour: string };
export type Column = {
  key: string;
  label: string;
  /** Below the column, where there is room for it. */
  tick: string;
  values: Readonly<Record<string, number>>;
  to: string;
};

type ColumnsProps = {
  parts: readonly ColumnPart[];
  columns: readonly Column[];
  /** Every column as high as the others, its parts as shares. */
  asShares?: boolean;
  height?: number;
};

const plotTop = 8;
const plotBottom = 22;
const axisWidth = 40;

export function Columns({ parts, columns, asShares = false, height = 200 }: ColumnsProps) {
  const [ref, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const highest = asShares ? 1 : niceCeiling(Math.max(1, ...columns.map(sumOf)));
  const step = (width - axisWidth) / Math.max(1, columns.length);
  const tipped = pointed === null ? undefined : columns[pointed];
  return (
    <div ref={ref} className={styles.plot} style={{ height }}>
      {width > 0 ? (
        <svg width={width} height={height} onMouseLeave={() => setPointed(null)}>
          <title>Columns</title>
          <Axis size={{ width, height }} highest={highest} asShares={asShares} />
          {columns.map((column, index) => (
            <Stack
              key={column.key}
              column={column}
              parts={parts}
              place={{ x: axisWidth + index * step, step, height, highest, asShares }}
              onPoint={() => setPointed(index)}
            />
          ))}
          <Labels columns={columns} step={step} height={height} />
        </svg>
      ) : null}
      {tipped && pointed !== null ? (
        <Tip column={tipped} parts={parts} left={tipLeft(axisWidth + pointed * step, width)} />
      ) : null}
    </div>
  );
}

type Place = { x: number; step: number; height: number; highest: number; asShares: boolean };
type StackProps = {
  column: Column;
  parts: readonly ColumnPart[];
  place: Place;
  onPoint: () => void;
};

function Stack({ column, parts, place, onPoint }: StackProps) {
  const [, navigate] = useLocation();
  const { x, step, height, highest, asShares } = place;
  const scale = (height - plotTop - plotBottom) / (asShares ? Math.max(1, sumOf(column)) : highest);
  const gap = step > 6 ? Math.min(6, step * 0.25) : 0.5;
  let y = height - plotBottom;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table beside it serves the keyboard
    <g className={styles.column} onMouseEnter={onPoint} onClick={() => navigate(column.to)}>
      <rect className={styles.hit} x={x} y={0} width={step} height={height - plotBottom} />
      {parts.map((part) => {
        const tall = (column.values[part.key] ?? 0) * scale;
        y -= tall;
        return (
          <rect
            key={part.key}
            x={x + gap / 2}
            y={y}
            width={Math.max(0.5, step - gap)}
            height={Math.max(0, tall)}
            style={{ fill: part.colour }}
          />
        );
      })}
    </g>
  );
}

type AxisProps = { size: { width: number; height: number }; highest: number; asShares: boolean };

function Axis({ size: { width, height }, highest, asShares }: AxisProps) {
  const plotHeight = height - plotTop - plotBottom;
  return [0, 0.5, 1].map((share) => {
    const y = height - plotBottom - share * plotHeight;
    return (
      <g key={share}>
        <line className={styles.grid} x1={axisWidth} x2={width} y1={y} y2={y} />
        <text className={styles.axis} x={axisWidth - 8} y={y + 4} textAnchor="end">
          {asShares ? `${share * 100}%` : formatShort(share * highest)}
        </text>
      </g>
    );
  });
}

type LabelsProps = { columns: readonly Column[]; step: number; height: number };

function Labels({ columns, step, height }: LabelsProps) {
  const every = Math.max(1, Math.ceil(72 / step));
  return columns.map((column, index) =>
    index % every === 0 && (index + 0.5) * step > 20 ? (
      <text
        key={column.key}
        className={styles.axis}
        x={axisWidth + (index + 0.5) * step}
        y={height - 6}
        textAnchor={index === columns.length - 1 ? "end" : "middle"}
      >
        {column.tick}
      </text>
    ) : null,
  );
}

function Tip({ column, parts, left }: Pick<StackProps, "column" | "parts"> & { left: number }) {
  return (
    <div className={styles.tip} style={{ left }}>
      <strong>{column.label}</strong>
      <dl>
        {parts.map(({ key, label }) => [
          <dt key={`${key}-name`}>{label}</dt>,
          <dd key={key}>{column.values[key] ?? 0}</dd>,
        ])}
      </dl>
    </div>
  );
}

function sumOf(column: Column): number {
  return Object.values(column.values).reduce((sum, value) => sum + value, 0);
}

/** A round number at or above it whose half is a whole number too. */
function niceCeiling(value: number): number {
  if (value <= 10) return 2 * Math.ceil(value / 2);
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8].find((known) => known * power >= value) ?? 10;
  return factor * power;
}

function tipLeft(x: number, width: number): number {
  return Math.max(0, Math.min(x + 12, width - 172));
}
