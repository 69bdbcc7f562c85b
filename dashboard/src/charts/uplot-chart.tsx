// The only file that uses uPlot: draws a line over time with marks for releases, a tooltip for the point
// under the pointer, and a click that opens its reviews. Loaded on its own, because uPlot is large.
import { useEffect, useMemo, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Link } from "../components/link.tsx";
import { formatDay, formatMonth, formatShortDay } from "../format/dates.ts";
import { axisWidth, labelledEvery } from "./axis-labels.ts";
import { ChartTooltip } from "./chart-tooltip.tsx";
import styles from "./charts.module.css";
import { useElementWidth } from "./element-width.ts";
import { type AxisPeriod, dayX, middleOf, type PlacedMark, placeMarks } from "./release-marks.ts";
import { setCursorDay, useCursorDay } from "./shared-cursor.ts";
import type { TimeSeriesChartProps } from "./time-series.ts";
import { usePress } from "./use-press.ts";

export function UplotChart(props: TimeSeriesChartProps) {
  const [ref, width] = useElementWidth();
  const target = useRef<HTMLDivElement>(null);
  const press = usePress();
  const [hovered, setHovered] = useState<{ index: number; x: number } | null>(null);
  const cursorDay = useCursorDay();
  const { points, marks, height, range, colour, format } = props;
  const periods = useMemo(
    () => points.map(({ day, lastDay = day }): AxisPeriod => ({ day, lastDay })),
    [points],
  );
  const placed = useMemo(
    () => placeMarks(marks, { periods, width, rowCount: markRowCount }),
    [marks, periods, width],
  );

  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours to read
  useEffect(() => {
    const container = target.current;
    if (!container || width === 0) return;
    const colours = readPlotColours(container, colour);
    const plot = new UPlot(
      {
        ...plotOptions({ width, height, range, colours, periods }),
        hooks: {
          draw: [(drawn) => drawReleaseMarks(drawn, placed, colours)],
          setCursor: [
            ({ cursor }) => {
              const read = readCursor(cursor);
              setHovered(read);
              setCursorDay(read === null ? null : (points[read.index]?.day ?? null));
            },
          ],
        },
      },
      [periods.map(secondsOf), ...linesOf(points)],
      container,
    );
    return () => plot.destroy();
  }, [width, height, range, points, periods, placed, colour, theme]);

  const point = hovered ? points[hovered.index] : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table beside it serves the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table beside it serves the keyboard
    <div
      ref={ref}
      className={styles.plot}
      style={{ height, cursor: point?.to ? "pointer" : undefined }}
      onClick={() => point?.to && press(point.to)}
    >
      <div ref={target} />
      <MarkNames placed={placed} />
      {cursorDay !== null && !hovered ? (
        <CursorLine day={cursorDay} periods={periods} width={width} />
      ) : null}
      {point && hovered ? (
        <ChartTooltip x={hovered.x} chartWidth={width}>
          <strong>{format(point.value ?? 0)}</strong>
          <div>{point.label ?? formatDay(point.day)}</div>
          {point.note ? <div>{point.note}</div> : null}
        </ChartTooltip>
      ) : null}
    </div>
  );
}

/** Where another chart's pointer is: the middle of the period that contains its day. */
function CursorLine(props: { day: string; periods: readonly AxisPeriod[]; width: number }) {
  const { day, periods, width } = props;
  const period = periods.find((one) => one.day <= day && day <= one.lastDay);
  if (!period) return null;
  const middle = new Date(middleOf(period)).toISOString().slice(0, 10);
  const left = dayX(middle, { periods, width });
  return left === null ? null : <span className={styles.cursor} style={{ left }} />;
}

/** The values, and beside them the line to a last one that isn't complete. */
function linesOf(points: TimeSeriesChartProps["points"]): [(number | null)[], (number | null)[]] {
  const isOpen = points.at(-1)?.isPartial === true && points.length > 1;
  const end = isOpen ? points.length - 1 : points.length;
  const from = points.slice(0, end).findLastIndex(({ value }) => value !== null);
  return [
    points.map(({ value }, index) => (index < end ? value : null)),
    points.map(({ value }, index) => (isOpen && (index === from || index >= end) ? value : null)),
  ];
}

type PlotColours = { line: string; axis: string; grid: string; mark: string };
type PlotFrame = {
  width: number;
  height: number;
  range: [number, number];
  colours: PlotColours;
  periods: readonly AxisPeriod[];
};

/** Half of a label: one that would be cut off at an edge is left out. */
const labelHalf = 28;

/** Periods with a label, at the distance of those of a bar chart with as many bars. */
function labelledOf(periods: readonly AxisPeriod[], width: number): readonly AxisPeriod[] {
  const every = labelledEvery(periods.length, width);
  const step = (width - axisWidth) / Math.max(1, periods.length);
  return periods.filter((_, index) => {
    const middle = axisWidth + (index + 0.5) * step;
    return index % every === 0 && middle >= labelHalf && middle <= width - labelHalf;
  });
}

function plotOptions({ width, height, range, colours, periods }: PlotFrame): UPlot.Options {
  const labelled = labelledOf(periods, width);
  const [first, last] = [periods[0]?.day ?? "", periods.at(-1)?.lastDay ?? ""];
  const line = { stroke: colours.line, width: 2, spanGaps: true };
  const axis = { stroke: colours.axis, font: "11px Inter, system-ui", ticks: { show: false } };
  return {
    width,
    height,
    padding: [markLabelTop, 0, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    scales: {
      x: { range: [Date.parse(first) / 1_000, Date.parse(last) / 1_000 + daySeconds] },
      y: { range },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        splits: () => labelled.map(secondsOf),
        values: () => formatAxisLabels(labelled),
      },
      { ...axis, grid: { stroke: colours.grid, width: 1 }, size: axisWidth, space: 40 },
    ],
    series: [
      {},
      // No area below the line: the axis doesn't begin at its lowest value, so an area would mislead. A single point
      // makes no line.
      { ...line, points: { show: periods.length < 2 } },
      { ...line, dash: [4, 4], points: { show: false } },
    ],
  };
}

// uPlot's own labels put the month before the day.
function formatAxisLabels(labelled: readonly AxisPeriod[]): string[] {
  const days = labelled.map(({ day }) => Date.parse(day));
  const isLong = (days.at(-1) ?? 0) - (days[0] ?? 0) > 300 * daySeconds * 1_000;
  return labelled.map(({ day }) => (isLong ? formatMonth(day) : formatShortDay(day)));
}

const daySeconds = 86_400;

/** Room for two rows of release names. */
const markRowCount = 2;
const markLabelTop = 32;
const markRowHeight = 13;

function drawReleaseMarks(plot: UPlot, placed: readonly PlacedMark[], colours: PlotColours): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colours.mark;
  ctx.globalAlpha = 0.5;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  for (const { x } of placed) {
    ctx.beginPath();
    ctx.moveTo(x * ratio, bbox.top);
    ctx.lineTo(x * ratio, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function MarkNames({ placed }: { placed: readonly PlacedMark[] }) {
  return placed.map(({ mark: { day, label, to }, name }) =>
    name === null ? null : (
      <Link
        key={`${day} ${label}`}
        href={to}
        className={styles.markName}
        style={{ left: name.x, top: markLabelTop - markRowHeight * (name.row + 1) - 4 }}
        tabIndex={-1}
        onClick={(event) => event.stopPropagation()}
      >
        {label}
      </Link>
    ),
  );
}

function readCursor({ idx, left }: UPlot.Cursor): { index: number; x: number } | null {
  if (idx === null || idx === undefined || left === undefined || left < 0) return null;
  return { index: idx, x: left + axisWidth };
}

/** A canvas can't use CSS variables: an element that wears each colour gives its computed value. */
function readPlotColours(container: HTMLElement, colour: string): PlotColours {
  // A new element for each: while one changes its colour, a transition still reports the colour before.
  const read = (value: string) => {
    const probe = document.createElement("span");
    probe.style.color = value;
    container.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return {
    line: read(colour),
    axis: read("var(--ink-faint)"),
    grid: read("var(--chart-grid)"),
    mark: read("var(--line-strong)"),
  };
}

/** The current theme; changes when the system or the user changes it. */
function useTheme(): string {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    const update = () => setTheme(readTheme());
    const systemTheme = matchMedia("(prefers-color-scheme: dark)");
    const attribute = new MutationObserver(update);
    systemTheme.addEventListener("change", update);
    attribute.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      systemTheme.removeEventListener("change", update);
      attribute.disconnect();
    };
  }, []);
  return theme;
}

function readTheme(): string {
  const systemTheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return document.documentElement.dataset["theme"] ?? systemTheme;
}

function secondsOf(period: AxisPeriod): number {
  return middleOf(period) / 1_000;
}
