// The one place that knows uPlot: lines over time, with marks for releases, a reading under the pointer
// and a click that leads to what is behind it. Loaded on its own, because it is large.
import { useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useLocation } from "wouter";
import { formatDay } from "../format/dates.ts";
import styles from "./charts.module.css";
import { useWidth } from "./element-width.ts";
import type { LineChartProps, LinePoint } from "./time-series-chart.tsx";

export function TimePlot(props: LineChartProps) {
  const [ref, width] = useWidth();
  const target = useRef<HTMLDivElement>(null);
  const [, navigate] = useLocation();
  const [pointed, setPointed] = useState<{ index: number; left: number } | null>(null);
  const { points, marks, height, range, colour } = props;

  const theme = useTheme();
  useEffect(() => {
    const home = target.current;
    if (!home || width === 0) return;
    const inks = { ...readInks(home, colour), theme };
    const plot = new UPlot(
      {
        ...frameOf({ width, height, range, inks }),
        hooks: {
          draw: [(drawn) => drawMarks(drawn, marks, inks)],
          setCursor: [({ cursor }) => setPointed(readCursor(cursor))],
        },
      },
      [points.map((point) => secondsOf(point.day)), points.map((point) => point.value)],
      home,
    );
    return () => plot.destroy();
  }, [width, height, range, points, marks, colour, theme]);

  const point = pointed ? points[pointed.index] : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table beside it serves the keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table beside it serves the keyboard
    <div
      ref={ref}
      className={styles.plot}
      style={{ height, cursor: point?.to ? "pointer" : undefined }}
      onClick={() => point?.to && navigate(point.to)}
    >
      <div ref={target} />
      {point && pointed ? (
        <Reading point={point} left={tipLeft(pointed.left, width)} format={props.format} />
      ) : null}
    </div>
  );
}

function Reading(props: { point: LinePoint; left: number; format: (value: number) => string }) {
  const { point, left, format } = props;
  return (
    <div className={styles.tip} style={{ left }}>
      <strong>{format(point.value ?? 0)}</strong>
      <div>{point.label ?? formatDay(point.day)}</div>
      {point.note ? <div>{point.note}</div> : null}
    </div>
  );
}

type Inks = { line: string; fill: string; axis: string; grid: string; mark: string };
type Frame = { width: number; height: number; range: [number, number]; inks: Inks };

function frameOf({ width, height, range, inks }: Frame): UPlot.Options {
  const axis = { stroke: inks.axis, font: "11px system-ui", ticks: { show: false } };
  return {
    width,
    height,
    padding: [16, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
    scales: { y: { range } },
    axes: [
      { ...axis, grid: { show: false }, space: 72, size: 28, values: formatSplits },
      { ...axis, grid: { stroke: inks.grid, width: 1 }, size: 40, space: 40 },
    ],
    series: [
      {},
      { stroke: inks.line, fill: inks.fill, width: 2, spanGaps: true, points: { show: false } },
    ],
  };
}

// uPlot's own labels put the month first.
function formatSplits(_plot: UPlot, splits: number[]): string[] {
  const span = (splits.at(-1) ?? 0) - (splits[0] ?? 0);
  const isLong = span > 300 * 86_400;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    month: "short",
    ...(isLong ? { year: "numeric" } : { day: "numeric" }),
  });
  return splits.map((seconds) => format.format(new Date(seconds * 1_000)));
}

// Labels that would run into the one before are left out; the line still stands.
function drawMarks(plot: UPlot, marks: LineChartProps["marks"], inks: Inks): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = inks.mark;
  ctx.fillStyle = inks.axis;
  ctx.font = `${11 * ratio}px system-ui`;
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.setLineDash([3 * ratio, 3 * ratio]);
  let labelEnd = Number.NEGATIVE_INFINITY;
  for (const mark of marks) {
    const x = plot.valToPos(secondsOf(mark.day), "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.globalAlpha = 0.5;
    ctx.stroke();
    ctx.globalAlpha = 1;
    const labelWidth = ctx.measureText(mark.label).width;
    const start = Math.min(x, bbox.left + bbox.width - labelWidth);
    if (start < labelEnd + 8 * ratio) continue;
    ctx.fillText(mark.label, start, bbox.top - 5 * ratio);
    labelEnd = start + labelWidth;
  }
  ctx.restore();
}

function readCursor({ idx, left }: UPlot.Cursor): { index: number; left: number } | null {
  if (idx === null || idx === undefined || left === undefined || left < 0) return null;
  return { index: idx, left: left + 40 };
}

/** A canvas knows no CSS variables: each is read off an element that wears it. */
function readInks(home: HTMLElement, colour: string): Inks {
  // A new element for each: on one that changes its colour, a transition still shows the one before.
  const read = (value: string) => {
    const probe = document.createElement("span");
    probe.style.color = value;
    home.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return {
    line: read(colour),
    fill: read(`color-mix(in srgb, ${colour} 9%, transparent)`),
    axis: read("var(--ink-faint)"),
    grid: read("var(--chart-grid)"),
    mark: read("var(--line-strong)"),
  };
}

/** Which theme is on, told again when the system or the user changes it. */
function useTheme(): string {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    const tell = () => setTheme(readTheme());
    const system = matchMedia("(prefers-color-scheme: dark)");
    const chosen = new MutationObserver(tell);
    system.addEventListener("change", tell);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      system.removeEventListener("change", tell);
      chosen.disconnect();
    };
  }, []);
  return theme;
}

function readTheme(): string {
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return document.documentElement.dataset["theme"] ?? system;
}

function secondsOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1_000;
}

function tipLeft(x: number, width: number): number {
  return Math.max(0, Math.min(x + 12, width - 172));
}
