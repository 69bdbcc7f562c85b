// Stacked bars over time as SVG: one bar for each day or week, one colour a series. A click on a bar opens its reviews.
// The chart measures its own width and keeps its height.
import { useState } from "react";
import { formatShort } from "../format/numbers.ts";
import { axisWidth, labelledEvery, niceCeiling } from "./axis-labels.ts";
import { BarMarks } from "./bar-marks.tsx";
import { ChartTooltip } from "./chart-tooltip.tsx";
import styles from "./charts.module.css";
import { useElementWidth } from "./element-width.ts";
import type { ChartMark } from "./release-marks.ts";
import { setCursorDay, useCursorDay } from "./shared-cursor.ts";
import { usePress } from "./use-press.ts";

export type BarSeries = { key: string; label: string; colour: string };

export type StackedBar = {
  /** The first day of its period, and the last one. */
  key: string;
  lastDay: string;
  label: string;
  /** Below the bar, if it fits. */
  axisLabel: string;
  /** By the key of the series. */
  values: Readonly<Record<string, number>>;
  to: string;
  /** Not all of its days are in: hatched. */
  isPartial?: boolean;
};

type StackedBarChartProps = {
  series: readonly BarSeries[];
  bars: readonly StackedBar[];
  /** All bars have the same height, and each series its share of it. */
  asShares?: boolean;
  height?: number;
  marks?: readonly ChartMark[];
};

/** Room for the names of marks. */
const plotTop = 20;
const plotBottom = 22;
const barWidthMax = 64;

export function StackedBarChart(props: StackedBarChartProps) {
  const { series, bars, asShares = false, height = 172, marks = [] } = props;
  const [ref, width] = useElementWidth();
  const press = usePress();
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null);
  const highest = asShares ? 1 : niceCeiling(Math.max(1, ...bars.map(sumOf)));
  const step = (width - axisWidth) / Math.max(1, bars.length);
  const hovered = hoveredIndex === null ? undefined : bars[hoveredIndex];
  const cursorDay = useCursorDay();
  const markedIndex = bars.findIndex(
    ({ key, lastDay }) => cursorDay !== null && key <= cursorDay && cursorDay <= lastDay,
  );
  const hover = (index: number | null) => {
    setHoveredIndex(index);
    setCursorDay(index === null ? null : (bars[index]?.key ?? null));
  };
  return (
    <div ref={ref} className={styles.plot} style={{ height }}>
      {width > 0 ? (
        <svg width={width} height={height} onMouseLeave={() => hover(null)}>
          <title>Bar chart</title>
          <pattern
            id="unfinished"
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line y2="6" strokeWidth="6" className={styles.hatch} />
          </pattern>
          <Axis size={{ width, height }} highest={highest} asShares={asShares} />
          {bars.map((bar, index) => (
            <BarSegments
              key={bar.key}
              bar={bar}
              series={series}
              geometry={{ x: axisWidth + index * step, step, height, highest, asShares }}
              isMarked={index === markedIndex}
              onHover={() => hover(index)}
              onPress={() => {
                hover(index);
                press(bar.to);
              }}
            />
          ))}
          <BarMarks
            marks={marks}
            periods={bars.map(({ key: day, lastDay }) => ({ day, lastDay }))}
            size={{ width, top: plotTop - 4, bottom: height - plotBottom }}
          />
          <AxisLabels bars={bars} step={step} size={{ width, height }} />
        </svg>
      ) : null}
      {hovered && hoveredIndex !== null ? (
        <ChartTooltip x={axisWidth + hoveredIndex * step} chartWidth={width}>
          <strong>{hovered.label}</strong>
          <dl>
            {series.map(({ key, label }) => [
              <dt key={`${key}-name`}>{label}</dt>,
              <dd key={key}>{hovered.values[key] ?? 0}</dd>,
            ])}
          </dl>
        </ChartTooltip>
      ) : null}
    </div>
  );
}

type BarSegmentsProps = {
  bar: StackedBar;
  series: readonly BarSeries[];
  /** `x` and `step` are the left edge and the width of the bar with its gap; `highest` is the axis's end. */
  geometry: { x: number; step: number; height: number; highest: number; asShares: boolean };
  /** Another chart's pointer is on one of its days. */
  isMarked: boolean;
  onHover: () => void;
  onPress: () => void;
};

function BarSegments({ bar, series, geometry, isMarked, onHover, onPress }: BarSegmentsProps) {
  const { x, step, height, highest, asShares } = geometry;
  const scale = (height - plotTop - plotBottom) / (asShares ? Math.max(1, sumOf(bar)) : highest);
  const gap = step > 6 ? Math.max(Math.min(6, step * 0.25), step - barWidthMax) : 0.5;
  let y = height - plotBottom;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table beside it serves the keyboard
    <g
      className={styles.stack}
      data-days={`${bar.key} ${bar.lastDay}`}
      onMouseEnter={onHover}
      onClick={onPress}
    >
      <rect
        className={isMarked ? styles.marked : styles.hit}
        x={x}
        y={0}
        width={step}
        height={height - plotBottom}
      />
      {series.map(({ key, colour }) => {
        const segmentHeight = (bar.values[key] ?? 0) * scale;
        y -= segmentHeight;
        return (
          <rect
            key={key}
            x={x + gap / 2}
            y={y}
            width={Math.max(0.5, step - gap)}
            height={Math.max(0, segmentHeight)}
            style={{ fill: colour }}
          />
        );
      })}
      {bar.isPartial ? (
        <rect
          x={x + gap / 2}
          y={y}
          width={Math.max(0.5, step - gap)}
          height={Math.max(0, height - plotBottom - y)}
          fill="url(#unfinished)"
        />
      ) : null}
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

type AxisLabelsProps = {
  bars: readonly StackedBar[];
  step: number;
  size: { width: number; height: number };
};

// A label that would be cut off at an edge is left out.
function AxisLabels({ bars, step, size: { width, height } }: AxisLabelsProps) {
  const every = labelledEvery(bars.length, width);
  const middleOf = (index: number) => axisWidth + (index + 0.5) * step;
  return bars.map((bar, index) =>
    index % every === 0 && middleOf(index) >= labelHalf && middleOf(index) <= width - labelHalf ? (
      <text
        key={bar.key}
        className={styles.axis}
        x={middleOf(index)}
        y={height - 6}
        textAnchor="middle"
      >
        {bar.axisLabel}
      </text>
    ) : null,
  );
}

const labelHalf = 28;

function sumOf(bar: StackedBar): number {
  return Object.values(bar.values).reduce((sum, value) => sum + value, 0);
}
