// A group of boxes to tick, or of which one is chosen, under one legend; the arrow and space keys work as
// the browser has it.
import { type ReactNode, useId } from "react";
import styles from "./field.module.css";

export type Choice<Value> = { value: Value; label: ReactNode };

type ChoicesProps<Value> = {
  legend: string;
  hideLegend?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  choices: readonly Choice<Value>[];
  chosen: readonly Value[];
  onChoose: (chosen: Value[]) => void;
};

export function CheckboxGroup<Value extends string | number>(props: ChoicesProps<Value>) {
  const { choices, chosen, onChoose } = props;
  return (
    <Group {...props}>
      {choices.map(({ value, label }) => (
        <label key={value} className={styles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => onChoose(toggled(props, value, event.target.checked))}
          />
          {label}
        </label>
      ))}
    </Group>
  );
}

type RadioGroupProps<Value> = Omit<ChoicesProps<Value>, "chosen" | "onChoose"> & {
  chosen: Value;
  onChoose: (chosen: Value) => void;
};

export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <Group {...props}>
      {props.choices.map(({ value, label }) => (
        <label key={value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={props.chosen === value}
            onChange={() => props.onChoose(value)}
          />
          {label}
        </label>
      ))}
    </Group>
  );
}

type GroupProps = Pick<ChoicesProps<never>, "legend" | "hideLegend" | "hint" | "error"> & {
  children: ReactNode;
};

function Group({ legend, hideLegend, hint, error, children }: GroupProps) {
  return (
    <fieldset className={styles.field}>
      <legend className={hideLegend ? "visually-hidden" : styles.legend}>{legend}</legend>
      <div className={styles.choices}>{children}</div>
      {hint ? <span className={styles.hint}>{hint}</span> : null}
      {error ? (
        <span className={styles.error} role="alert">
          {error}
        </span>
      ) : null}
    </fieldset>
  );
}

// In the order of the choices, whatever the order of the clicks.
function toggled<Value>(props: ChoicesProps<Value>, value: Value, on: boolean): Value[] {
  return props.choices
    .map((choice) => choice.value)
    .filter((known) => (known === value ? on : props.chosen.includes(known)));
}
