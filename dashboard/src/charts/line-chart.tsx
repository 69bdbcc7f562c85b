// Several lines over time as SVG, on one axis. A line goes on over points without a value, and has its name at its last one.
// The chart measures its own width and keeps its height.
import { useState } from "react";
import { axisWidth, labelledEvery, niceCeiling } from "./axis-labels.ts";
import { ChartTooltip } from "./chart-tooltip.tsx";
import styles from "./charts.module.css";
import { useElementWidth } from "./element-width.ts";

export type Line = {
  /** A letter or a short word. */
  key: string;
  colour: string;
  isDashed?: boolean;
  values: readonly (number | null)[];
};

type LineChartProps = {
  points: readonly { label: string; axisLabel: string }[];
  series: readonly Line[];
  lowest: number;
  /** null: as high as the highest value. */
  highest: number | null;
  format: (value: number) => string;
};

const height = 220;
const plotTop = 10;
const plotBottom = 24;
/** Room for the names of lines. */
const plotRight = 22;
const labelHalf = 28;
const nameHeight = 13;

export function LineChart({ points, series, lowest, highest, format }: LineChartProps) {
  const [ref, width] = useElementWidth();
  const [hovered, setHovered] = useState<number | null>(null);
  const top = highest ?? ceilingOf(series);
  const step = (width - axisWidth - plotRight) / Math.max(1, points.length);
  const xOf = (index: number) => axisWidth + (index + 0.5) * step;
  const yOf = (value: number) =>
    plotTop + (1 - (value - lowest) / (top - lowest)) * (height - plotTop - plotBottom);
  const every = labelledEvery(points.length, width);
  const point = hovered === null ? undefined : points[hovered];
  return (
    <div ref={ref} className={styles.plot} style={{ height }}>
      {width > 0 ? (
        <svg width={width} height={height} onMouseLeave={() => setHovered(null)}>
          <title>Line chart</title>
          <ValueAxis {...{ lowest, top, width, yOf, format }} />
          {points.map(({ label, axisLabel }, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table beside it serves the keyboard
            <g key={label} onMouseEnter={() => setHovered(index)}>
              <rect
                className={index === hovered ? styles.marked : styles.hit}
                {...{ x: xOf(index) - step / 2, y: 0, width: step, height: height - plotBottom }}
              />
              {index % every === 0 && xOf(index) >= labelHalf && xOf(index) <= width - labelHalf ? (
                <text className={styles.axis} x={xOf(index)} y={height - 6} textAnchor="middle">
                  {axisLabel}
                </text>
              ) : null}
            </g>
          ))}
          {placeNames(series, { xOf, yOf }).map(({ line, end, nameY }) => (
            <g
              key={line.key}
              className={styles.line}
              style={{ stroke: line.colour, fill: line.colour }}
              data-line={line.key}
            >
              <polyline points={end.path} strokeDasharray={line.isDashed ? "6 4" : undefined} />
              <circle cx={end.x} cy={end.y} r={3} />
              <text x={end.x + 7} y={nameY + 4}>
                {line.key}
              </text>
            </g>
          ))}
        </svg>
      ) : null}
      {point && hovered !== null ? (
        <ChartTooltip x={xOf(hovered)} chartWidth={width}>
          <strong>{point.label}</strong>
          <dl>
            {series.map(({ key, values }) => {
              const value = values[hovered] ?? null;
              return [
                <dt key={`${key}-name`}>{key}</dt>,
                <dd key={key}>{value === null ? "–" : format(value)}</dd>,
              ];
            })}
          </dl>
        </ChartTooltip>
      ) : null}
    </div>
  );
}

type ValueAxisProps = {
  lowest: number;
  top: number;
  width: number;
  yOf: (value: number) => number;
  format: (value: number) => string;
};

function ValueAxis({ lowest, top, width, yOf, format }: ValueAxisProps) {
  return [0, 0.5, 1].map((share) => {
    const value = lowest + share * (top - lowest);
    const y = yOf(value);
    return (
      <g key={share}>
        <line className={styles.grid} x1={axisWidth} x2={width} y1={y} y2={y} />
        <text className={styles.axis} x={axisWidth - 8} y={y + 4} textAnchor="end">
          {format(value)}
        </text>
      </g>
    );
  });
}

type Scale = { xOf: (index: number) => number; yOf: (value: number) => number };

/** Lines with a value. The name of one is moved down where it would lie on another's. */
function placeNames(series: readonly Line[], { xOf, yOf }: Scale) {
  const placed: { line: Line; end: { x: number; y: number; path: string }; nameY: number }[] = [];
  for (const line of series) {
    const known = line.values.flatMap((value, index) =>
      value === null ? [] : [{ x: xOf(index), y: yOf(value) }],
    );
    const last = known.at(-1);
    if (!last) continue;
    const path = known.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    const near = placed.find(
      ({ end, nameY }) =>
        Math.abs(end.x - last.x) < nameHeight && Math.abs(nameY - last.y) < nameHeight,
    );
    const nameY = near ? near.nameY + (last.y < near.nameY ? -nameHeight : nameHeight) : last.y;
    placed.push({ line, end: { ...last, path }, nameY });
  }
  return placed;
}

function ceilingOf(series: readonly Line[]): number {
  const highest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  // Less than one a day is a whole chart, too.
  return highest > 0 && highest < 1
    ? Math.ceil(highest * 10) / 10
    : niceCeiling(Math.max(1, highest));
}
