// Both sides over time on one axis: reviews, stars, or the share of negative reviews.
import { useMemo, useState } from "react";
import { ChartFrame } from "../../charts/chart-frame.tsx";
import { LineChart } from "../../charts/line-chart.tsx";
import { Card } from "../../components/card.tsx";
import { Segments } from "../../components/segments.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { todayUtc } from "../../format/clock.ts";
import { formatDay, formatMonth, formatShortDay } from "../../format/dates.ts";
import { formatQuantity, formatStars } from "../../format/numbers.ts";
import {
  type ComparedPeriod,
  type PeriodFigures,
  toPeriods,
  type Unit,
} from "./compare-periods.ts";
import type { Side } from "./side.ts";

type Measure = {
  title: string;
  read: (figures: PeriodFigures) => number | null;
  format: (value: number) => string;
  bounds: readonly [lowest: number, highest: number | null];
};

const oneDecimal = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

const measures = {
  Reviews: {
    title: "Reviews a day",
    read: ({ perDay }) => perDay,
    format: (value) => (value < 10 ? oneDecimal : whole).format(value),
    bounds: [0, null],
  },
  Stars: {
    title: "Average stars",
    read: ({ stars }) => stars,
    format: formatStars,
    bounds: [1, 5],
  },
  Negative: {
    title: "Share of negative reviews",
    read: ({ negative }) => negative,
    format: (value) => `${Math.round(value * 100)}%`,
    bounds: [0, 1],
  },
} as const satisfies Record<string, Measure>;
type MeasureName = keyof typeof measures;
const names = Object.keys(measures) as MeasureName[];

const colours = { a: "var(--side-a)", b: "var(--side-b)" };

export function OverTime({ left, right }: { left: Side; right: Side }) {
  const [shown, setShown] = useState<MeasureName>("Reviews");
  const { title, read, format, bounds }: Measure = measures[shown];
  const { unit, periods } = useMemo(
    () =>
      toPeriods(
        {
          a: { filters: left.filters, days: left.days ?? [] },
          b: { filters: right.filters, days: right.days ?? [] },
        },
        todayUtc(),
      ),
    [left.filters, left.days, right.filters, right.days],
  );
  // One point makes no line.
  if (periods.length < 2) return null;
  const cell = (figures: PeriodFigures) => {
    const value = read(figures);
    const shown = value === null ? "–" : format(value);
    return figures.count === 0 ? shown : `${shown} (${formatQuantity(figures.count, "review")})`;
  };
  const label = `${title} of both sides by ${unit}`;
  return (
    <Card
      title={title}
      hint={`By ${unit}, in UTC`}
      tools={
        <Segments label="What the chart shows" names={names} chosen={shown} onChoose={setShown} />
      }
    >
      <ChartFrame
        label={label}
        legend={[
          { label: left.name, colour: colours.a },
          { label: right.name, colour: colours.b },
        ]}
        rows={periods.toReversed()}
        rowKey={({ from }) => from}
        columns={[
          { header: capitalised(unit), cell: ({ from }) => formatDay(from) },
          { header: "A", cell: ({ a }) => cell(a), alignEnd: true },
          { header: "B", cell: ({ b }) => cell(b), alignEnd: true },
        ]}
      >
        <LineChart
          points={periods.map((period) => toPoint(period, unit))}
          series={[
            { key: "A", colour: colours.a, values: periods.map(({ a }) => read(a)) },
            {
              key: "B",
              colour: colours.b,
              isDashed: true,
              values: periods.map(({ b }) => read(b)),
            },
          ]}
          lowest={bounds[0]}
          highest={bounds[1]}
          format={format}
        />
      </ChartFrame>
    </Card>
  );
}

function toPoint({ from }: ComparedPeriod, unit: Unit): { label: string; axisLabel: string } {
  if (unit === "month") return { label: formatMonth(from), axisLabel: formatMonth(from) };
  const day = formatDay(from);
  return { label: unit === "week" ? `Week of ${day}` : day, axisLabel: formatShortDay(from) };
}
