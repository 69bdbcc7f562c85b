// Selects the date range: a predefined one, the days since a release, or two dates.
import { Select, TextField } from "../../components/field.tsx";
import { todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { type DateRange, dateRanges } from "./date-range.ts";
import styles from "./overview.module.css";

type DateRangePickerProps = {
  range: DateRange;
  /** The newest last. */
  releases: readonly { day: string; label: string }[];
  onChange: (range: DateRange) => void;
};

const releasesMax = 3;

export function DateRangePicker({ range, releases, onChange }: DateRangePickerProps) {
  const choose = (value: string) => {
    const named = dateRanges.find((one) => one.value === value);
    if (named) onChange({ ...range, name: named.value });
    else onChange({ name: "since", from: value, to: todayUtc() });
  };
  const sinces = listSinces(range, releases);
  return (
    <>
      <div className={styles.picker}>
        <Select
          label="Date range, in UTC days"
          hideLabel
          value={range.name === "since" ? range.from : range.name}
          options={[...dateRanges.slice(0, -1), ...sinces, ...dateRanges.slice(-1)]}
          onValueChange={choose}
        />
      </div>
      <span className={styles.zone} title="Days begin and end at midnight in UTC">
        UTC
      </span>
      {range.name === "custom" ? (
        <>
          <DayField label="From" day={range.from} onDay={(from) => onChange({ ...range, from })} />
          <DayField label="To" day={range.to} onDay={(to) => onChange({ ...range, to })} />
        </>
      ) : null}
    </>
  );
}

/** The last releases, and the day of the URL where it is another. */
function listSinces(
  range: DateRange,
  releases: DateRangePickerProps["releases"],
): { value: string; label: string }[] {
  const sinces = releases
    .slice(-releasesMax)
    .map(({ day, label }) => ({ value: day, label: `Since ${label}` }))
    .reverse();
  if (range.name !== "since" || sinces.some(({ value }) => value === range.from)) return sinces;
  return [{ value: range.from, label: `Since ${formatDay(range.from)}` }, ...sinces];
}

function DayField(props: { label: string; day: string; onDay: (day: string) => void }) {
  return (
    <TextField
      label={props.label}
      hideLabel
      type="date"
      min="2008-01-01"
      max={todayUtc()}
      value={props.day}
      // A cleared field does not change the range.
      onValueChange={(day) => day && props.onDay(day)}
    />
  );
}
