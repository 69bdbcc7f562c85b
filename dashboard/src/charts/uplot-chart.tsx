// The only file that uses uPlot: draws a line over time with marks for releases, a tooltip for the point
// under the pointer, and a click that opens its reviews. Loaded on its own, because uPlot is large.
import { useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { Link } from "../components/link.tsx";
import { formatDay } from "../format/dates.ts";
import { axisWidth, characterWidth, labelledEvery } from "./axis-labels.ts";
import { ChartTooltip } from "./chart-tooltip.tsx";
import styles from "./charts.module.css";
import { useElementWidth } from "./element-width.ts";
import { setCursorDay, useCursorDay } from "./shared-cursor.ts";
import type { TimeSeriesChartProps } from "./time-series-chart.tsx";
import { usePress } from "./use-press.ts";

export function UplotChart(props: TimeSeriesChartProps) {
  const [ref, width] = useElementWidth();
  const target = useRef<HTMLDivElement>(null);
  const press = usePress();
  const [hovered, setHovered] = useState<{ index: number; x: number } | null>(null);
  const cursorDay = useCursorDay();
  const { points, marks, height, range, colour, format } = props;

  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours to read
  useEffect(() => {
    const container = target.current;
    if (!container || width === 0) return;
    const colours = readPlotColours(container, colour);
    const plot = new UPlot(
      {
        ...plotOptions({ width, height, range, colours, ticks: ticksOf(points, width) }),
        hooks: {
          draw: [(drawn) => drawReleaseMarks(drawn, marks, colours)],
          setCursor: [
            ({ cursor }) => {
              const read = readCursor(cursor);
              setHovered(read);
              setCursorDay(read === null ? null : (points[read.index]?.day ?? null));
            },
          ],
        },
      },
      [points.map((point) => secondsOf(point.day)), points.map((point) => point.value)],
      container,
    );
    return () => plot.destroy();
  }, [width, height, range, points, marks, colour, theme]);

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
      <MarkNames marks={marks} points={points} width={width} />
      {cursorDay !== null && !hovered ? (
        <CursorLine day={cursorDay} points={points} width={width} />
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

/** Where another chart's pointer is. */
function CursorLine(props: { day: string; points: TimeSeriesChartProps["points"]; width: number }) {
  const { day, points, width } = props;
  const left = leftOf(day, { points, width });
  if (left === null) return null;
  return <span className={styles.cursor} style={{ left }} />;
}

/** The position of a day on the axis; null outside of it. */
function leftOf(
  day: string,
  { points, width }: { points: TimeSeriesChartProps["points"]; width: number },
): number | null {
  const [first, last] = [points[0]?.day ?? day, points.at(-1)?.day ?? day];
  if (day < first || day > last || first === last) return null;
  const share = (secondsOf(day) - secondsOf(first)) / (secondsOf(last) - secondsOf(first));
  return axisWidth + share * (width - axisWidth - plotRight);
}

/** Right of the last point, for its label. */
const plotRight = 24;

type PlotColours = { line: string; axis: string; grid: string; mark: string };
type PlotFrame = {
  width: number;
  height: number;
  range: [number, number];
  colours: PlotColours;
  /** The days with a label, in seconds. */
  ticks: number[];
};

/** Days of points, at the distance of the labels of a bar chart with as many bars. */
function ticksOf(points: TimeSeriesChartProps["points"], width: number): number[] {
  const every = labelledEvery(points.length, width);
  return points.filter((_, index) => index % every === 0).map(({ day }) => secondsOf(day));
}

function plotOptions({ width, height, range, colours, ticks }: PlotFrame): UPlot.Options {
  const axis = { stroke: colours.axis, font: "11px Inter, system-ui", ticks: { show: false } };
  return {
    width,
    height,
    padding: [markLabelTop, plotRight, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    scales: { y: { range } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        splits: () => ticks,
        values: formatTicks,
      },
      { ...axis, grid: { stroke: colours.grid, width: 1 }, size: axisWidth, space: 40 },
    ],
    series: [
      {},
      {
        // No area below the line: the axis doesn't begin at its lowest value, so an area would mislead.
        stroke: colours.line,
        width: 2,
        spanGaps: true,
        // A single point makes no line.
        points: { show: ticks.length < 2 },
      },
    ],
  };
}

// uPlot's own labels put the month before the day.
function formatTicks(_plot: UPlot, splits: number[]): string[] {
  const span = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const isLong = span > 300 * 86_400;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    month: "short",
    ...(isLong ? { year: "numeric" } : { day: "numeric" }),
  });
  return splits.map((seconds) => format.format(new Date(seconds * 1_000)));
}

/** Room for two rows of release names. */
const markLabelTop = 32;
const markRowHeight = 13;

function drawReleaseMarks(
  plot: UPlot,
  marks: TimeSeriesChartProps["marks"],
  colours: PlotColours,
): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colours.mark;
  ctx.globalAlpha = 0.5;
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  for (const { day } of marks) {
    const x = plot.valToPos(secondsOf(day), "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** In two rows, the newest first: a name that fits in neither is left out, and its line is still drawn. */
function MarkNames(props: Pick<TimeSeriesChartProps, "marks" | "points"> & { width: number }) {
  const { marks, points, width } = props;
  const rowStarts = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  return marks.toReversed().map(({ day, label, to }) => {
    const left = leftOf(day, { points, width });
    if (left === null) return null;
    const labelWidth = label.length * characterWidth;
    const start = Math.min(left, width - plotRight - labelWidth);
    const row = rowStarts.findIndex((limit) => start + labelWidth + 8 <= limit);
    if (row < 0) return null;
    rowStarts[row] = start;
    const style = { left: start, top: markLabelTop - markRowHeight * (row + 1) - 4 };
    return (
      <Link
        key={`${day} ${label}`}
        href={to}
        className={styles.markName}
        style={style}
        tabIndex={-1}
        onClick={(event) => event.stopPropagation()}
      >
        {label}
      </Link>
    );
  });
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

function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1_000;
}
