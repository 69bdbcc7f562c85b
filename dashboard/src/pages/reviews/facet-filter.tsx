// A filter as a chip that opens its choices, each with the number of reviews that it would leave.
import type { FacetValue } from "../../../../src/dashboard-api/contract/reviews.ts";
import { Popover } from "../../components/popover.tsx";
import { formatCount } from "../../format/numbers.ts";
import styles from "./reviews.module.css";

type FacetFilterProps = {
  label: string;
  /** The chosen values; an empty selection does not filter. */
  chosen: readonly string[];
  /** Without counts while they are loading. */
  choices: readonly (Omit<FacetValue, "count"> & { count?: number })[];
  /** Several values can be chosen at once. */
  isMultiple?: boolean;
  nameOf: (value: string) => string;
  onChoose: (values: string[]) => void;
};

export function FacetFilter(props: FacetFilterProps) {
  const { label, chosen, choices, isMultiple = false, nameOf, onChoose } = props;
  // A chosen value is always a choice, even if no review has it.
  const missing = chosen.filter((value) => !choices.some((one) => one.value === value));
  const all = [...missing.map((value) => ({ value, count: 0 })), ...choices];
  const toggle = (value: string, isOn: boolean) => {
    if (!isMultiple) return onChoose(isOn ? [value] : []);
    const next = isOn ? [...chosen, value] : chosen.filter((one) => one !== value);
    return onChoose(next.toSorted());
  };
  return (
    <Popover
      isActive={chosen.length > 0}
      button={chosen.length === 0 ? label : `${label}: ${chosen.map(nameOf).join(", ")}`}
    >
      {(close) => (
        <fieldset className={styles.choices}>
          <legend className="visually-hidden">{label}</legend>
          {all.length === 0 ? <p className={styles.from}>No options for these filters.</p> : null}
          {all.map(({ value, count }) => (
            <label key={value} className={styles.choice}>
              <input
                type="checkbox"
                data-single={isMultiple ? undefined : ""}
                checked={chosen.includes(value)}
                onChange={(event) => {
                  toggle(value, event.target.checked);
                  if (!isMultiple) close();
                }}
              />
              <span>{nameOf(value)}</span>
              {count === undefined ? null : (
                <span className={styles.count}>{formatCount(count)}</span>
              )}
            </label>
          ))}
        </fieldset>
      )}
    </Popover>
  );
}
