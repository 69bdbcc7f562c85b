// A group of checkboxes or radio buttons under one legend. They are native inputs, so the browser's own
// keys work.
import { type ReactNode, useId } from "react";
import styles from "./field.module.css";

type GroupProps = {
  legend: string;
  hideLegend?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
};

type OptionsProps<Value> = GroupProps & { options: readonly { value: Value; label: ReactNode }[] };

type CheckboxGroupProps<Value> = OptionsProps<Value> & {
  selected: readonly Value[];
  onSelect: (selected: Value[]) => void;
  /** Choices of another form, in the same group. */
  children?: ReactNode;
};

export function CheckboxGroup<Value extends string | number>(props: CheckboxGroupProps<Value>) {
  const { options, selected, onSelect } = props;
  // In the order of the options, not of the clicks.
  const toggle = (value: Value, isChecked: boolean) =>
    onSelect(
      options
        .map((option) => option.value)
        .filter((one) => (one === value ? isChecked : selected.includes(one))),
    );
  return (
    <Group {...props} isColumn={options.length === 0}>
      {options.map(({ value, label }) => (
        <label key={value} className={styles.choice}>
          <input
            type="checkbox"
            checked={selected.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
          />
          {label}
        </label>
      ))}
      {props.children}
    </Group>
  );
}

type RadioGroupProps<Value> = OptionsProps<Value> & {
  selected: Value;
  onSelect: (selected: Value) => void;
};

export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const name = useId();
  return (
    <Group {...props}>
      {props.options.map(({ value, label }) => (
        <label key={value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={props.selected === value}
            onChange={() => props.onSelect(value)}
          />
          {label}
        </label>
      ))}
    </Group>
  );
}

function Group(props: GroupProps & { isColumn?: boolean; children: ReactNode }) {
  const { legend, hideLegend, hint, error, children } = props;
  return (
    <fieldset className={styles.field}>
      <legend className={hideLegend ? "visually-hidden" : styles.legend}>{legend}</legend>
      <div className={props.isColumn ? styles.column : styles.choices}>{children}</div>
      {hint ? <span className={styles.hint}>{hint}</span> : null}
      {error ? (
        <span className={styles.error} role="alert">
          {error}
        </span>
      ) : null}
    </fieldset>
  );
}
