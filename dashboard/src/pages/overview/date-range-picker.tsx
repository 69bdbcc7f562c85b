// Selects the date range: a predefined one, or two dates.
import { Select, TextField } from "../../components/field.tsx";
import { todayUtc } from "../../format/clock.ts";
import { type DateRange, type DateRangeName, dateRanges } from "./date-range.ts";
import styles from "./overview.module.css";

type DateRangePickerProps = { range: DateRange; onChange: (range: DateRange) => void };

export function DateRangePicker({ range, onChange }: DateRangePickerProps) {
  const name = (value: string) => dateRanges.find((one) => one.value === value)?.value ?? "90d";
  return (
    <>
      <div className={styles.picker}>
        <Select
          label="Date range, in UTC days"
          hideLabel
          value={range.name}
          options={dateRanges}
          onValueChange={(value) =>
            onChange({ ...range, name: name(value) satisfies DateRangeName })
          }
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
