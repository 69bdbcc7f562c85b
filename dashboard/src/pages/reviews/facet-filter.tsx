// A filter as a chip that opens its choices, each with the number of reviews that it would leave.
import type { FacetValue } from "../../../../src/dashboard-api/contract/reviews.ts";
import { PickerButton } from "../../components/picker.tsx";

type FacetFilterProps = {
  label: string;
  /** The things to choose from, in the plural. */
  noun?: string;
  /** The chosen values; an empty selection does not filter. */
  chosen: readonly string[];
  /** Without counts while they are loading. */
  choices: readonly (Omit<FacetValue, "count"> & { count?: number })[];
  /** Several values can be chosen at once. */
  isMultiple?: boolean;
  nameOf: (value: string) => string;
  onOpen?: () => void;
  onChoose: (values: string[]) => void;
};

export function FacetFilter(props: FacetFilterProps) {
  const {
    label,
    noun = `${label.toLowerCase()}s`,
    chosen,
    choices,
    isMultiple = false,
    nameOf,
    onOpen,
    onChoose,
  } = props;
  // A chosen value is always a choice, even if no review has it.
  const missing = chosen.filter((value) => !choices.some((one) => one.value === value));
  const all = [...missing.map((value) => ({ value, count: 0 })), ...choices];
  return (
    <PickerButton
      label={label}
      noun={noun}
      button={chosen.length === 0 ? label : `${label}: ${chosen.map(nameOf).join(", ")}`}
      isActive={chosen.length > 0}
      isMultiple={isMultiple}
      options={all.map(({ value, count }) => ({ value, count, label: nameOf(value) }))}
      selected={chosen}
      onSelect={(values) => onChoose(isMultiple ? values.toSorted() : values)}
      {...(onOpen && { onOpen })}
    />
  );
}
