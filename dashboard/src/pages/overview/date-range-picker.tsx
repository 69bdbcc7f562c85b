// Chooses the range of days: one of the usual ones, or two dates.
import { Select, TextField } from "../../components/field.tsx";
import { todayUtc } from "../../format/clock.ts";
import { type Range, type RangeName, ranges } from "./date-range.ts";
import styles from "./overview.module.css";

type RangePickerProps = { range: Range; onChange: (range: Range) => void };

export function RangePicker({ range, onChange }: RangePickerProps) {
  const name = (value: string) => ranges.find((known) => known.value === value)?.value ?? "90";
  return (
    <>
      <div className={styles.picker}>
        <Select
          label="Days"
          hideLabel
          value={range.name}
          options={ranges}
          onText={(value) => onChange({ ...range, name: name(value) satisfies RangeName })}
        />
      </div>
      {range.name === "own" ? (
        <>
          <DayField label="From" day={range.from} onDay={(from) => onChange({ ...range, from })} />
          <DayField label="To" day={range.to} onDay={(to) => onChange({ ...range, to })} />
        </>
      ) : null}
    </>
  );
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
      // An emptied field has no day yet: the one before stands.
      onText={(day) => day && props.onDay(day)}
    />
  );
}
