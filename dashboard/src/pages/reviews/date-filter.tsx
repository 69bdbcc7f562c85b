// The filter for dates: the last days up to today, which a link and a saved view keep as such, or two days.
import { useEffect, useState } from "react";
import { useApiQuery } from "../../api/workspace.ts";
import { TextField } from "../../components/field.tsx";
import { Popover } from "../../components/popover.tsx";
import { todayUtc } from "../../format/clock.ts";
import { formatDay, formatMoment } from "../../format/dates.ts";
import type { FeedFilters } from "./filters.ts";
import styles from "./reviews.module.css";

const ranges = ["1d", "7d", "14d", "30d", "90d"];

const firstDay = "2008-01-01";

export type DateName = "from" | "to" | "range" | "newSince";

type DateFilterProps = { filters: FeedFilters; onChange: (filters: FeedFilters) => void };

export function DateFilter({ filters, onChange }: DateFilterProps) {
  const { from, to, range, newSince, ...others } = filters;
  const choose = (dates: Pick<FeedFilters, DateName>) => onChange({ ...others, ...dates });
  const shown = describeDates(filters);
  return (
    <Popover isActive={shown !== null} button={shown ?? "Dates"}>
      {(close) => (
        <>
          <fieldset className={styles.choices}>
            <legend className="visually-hidden">Dates</legend>
            {newSince ? (
              <Chosen
                name={shown}
                onRemove={() => {
                  choose({});
                  close();
                }}
              />
            ) : null}
            {ranges.map((value) => (
              <label key={value} className={styles.choice}>
                <input
                  type="checkbox"
                  data-single
                  checked={range === value}
                  onChange={(event) => {
                    choose(event.target.checked ? { range: value } : {});
                    close();
                  }}
                />
                <span>{rangeName(value)}</span>
              </label>
            ))}
            {filters.app ? (
              <Releases
                app={filters.app}
                from={to === undefined ? from : undefined}
                onDay={(day) => {
                  choose(day === undefined ? {} : { from: day });
                  close();
                }}
              />
            ) : null}
          </fieldset>
          <div className={styles.dates}>
            <DayField
              label="From"
              day={from}
              min={firstDay}
              max={to ?? todayUtc()}
              onDay={(day) => choose({ from: day, to })}
            />
            <DayField
              label="To"
              hint="Days are UTC days."
              day={to}
              min={from ?? firstDay}
              max={todayUtc()}
              onDay={(day) => choose({ from, to: day })}
            />
          </div>
        </>
      )}
    </Popover>
  );
}

function Chosen({ name, onRemove }: { name: string | null; onRemove: () => void }) {
  return (
    <label className={styles.choice}>
      <input type="checkbox" data-single checked onChange={onRemove} />
      <span>{name}</span>
    </label>
  );
}

const releasesMax = 3;

type ReleasesProps = {
  app: string;
  from: string | undefined;
  onDay: (day: string | undefined) => void;
};

/** The days since each of the app's last releases. */
function Releases({ app, from, onDay }: ReleasesProps) {
  const { data } = useApiQuery("GET /workspaces/:workspace/apps/:app/releases", { path: { app } });
  return data?.releases.slice(0, releasesMax).map(({ version, day }) => (
    <label key={version} className={styles.choice}>
      <input
        type="checkbox"
        data-single
        checked={from === day}
        onChange={(event) => onDay(event.target.checked ? day : undefined)}
      />
      <span>Since {version}</span>
    </label>
  ));
}

/** `Last 14 days`, `since 9 Nov 2026`; null without dates. */
export function describeDates({ from, to, range, newSince }: FeedFilters): string | null {
  if (newSince) return `new since ${formatMoment(newSince)}`;
  if (range) return rangeName(range);
  if (from && to) return `${formatDay(from)} – ${formatDay(to)}`;
  if (from) return `since ${formatDay(from)}`;
  return to ? `until ${formatDay(to)}` : null;
}

function rangeName(range: string): string {
  return range === "1d" ? "Today" : `Last ${Number.parseInt(range, 10)} days`;
}

type DayFieldProps = {
  label: string;
  hint?: string;
  day: string | undefined;
  min: string;
  max: string;
  onDay: (day: string | undefined) => void;
};

/** Applies a day once it is in the range: a year that is being typed begins as the year 2. */
function DayField({ label, hint, day, min, max, onDay }: DayFieldProps) {
  const [text, setText] = useState(day ?? "");
  useEffect(() => setText(day ?? ""), [day]);
  const isInRange = (typed: string) => typed >= min && typed <= max;
  return (
    <TextField
      label={label}
      hint={hint}
      type="date"
      min={min}
      max={max}
      value={text}
      fault={
        text === "" || isInRange(text)
          ? undefined
          : `Choose a day from ${formatDay(min)} to ${max === todayUtc() ? "today" : formatDay(max)}`
      }
      onValueChange={(typed) => {
        setText(typed);
        if (typed === "" || isInRange(typed)) onDay(typed || undefined);
      }}
    />
  );
}
