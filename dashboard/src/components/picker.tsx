// The picker of the dashboard: chooses one or several of any number of things. From ten on it has a search, and several can be
// chosen or left at once. Arrow keys move, the space bar chooses, and Enter in the search takes the first that is found.
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { formatCount, formatQuantity } from "../format/numbers.ts";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";
import styles from "./picker.module.css";
import { Popover } from "./popover.tsx";

export type PickerOption = { value: string; label: string; count?: number | undefined };

type PickerProps = {
  /** The things to choose from, in the plural: `apps`. */
  noun: string;
  options: readonly PickerOption[];
  selected: readonly string[];
  isMultiple?: boolean;
  /** A part of a form instead of the content of a panel. */
  isFramed?: boolean;
  /** In the order of the options. */
  onSelect: (selected: string[]) => void;
};

export const manyMin = 10;
/** The search finds the others. */
const drawnMax = 100;

export function Picker(props: PickerProps) {
  const { noun, options, selected, isMultiple = false, isFramed = false, onSelect } = props;
  const [text, setText] = useState("");
  // Chosen ones come first, in the order of the opening: nothing moves under the pointer.
  const [first] = useState(() => new Set(selected));
  const list = useRef<HTMLDivElement>(null);
  const isLong = options.length >= manyMin;
  const found = find(sortChosenFirst(options, isLong ? first : new Set()), text);
  const toggle = (value: string) => onSelect(toggled(props, value));
  const onKey = (event: KeyboardEvent) => {
    const isSearch = event.target instanceof HTMLInputElement && event.target.type === "search";
    if (isSearch && event.key === "Enter") {
      // It would send the form around the picker.
      event.preventDefault();
      const [one] = found;
      if (one && text.trim() !== "") toggle(one.value);
    } else if (moveFocus(list.current, event)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the controls inside
    <div
      className={isFramed ? `${styles.picker} ${styles.framed}` : styles.picker}
      onKeyDown={onKey}
    >
      {isLong ? (
        <div className={styles.tools}>
          <TextField
            label={`Search ${noun}`}
            hideLabel
            type="search"
            placeholder={`Search ${noun}`}
            autoComplete="off"
            maxLength={100}
            ref={isFramed ? undefined : focusByMouse}
            value={text}
            onValueChange={setText}
          />
          {isMultiple ? <Several {...props} isSearching={text.trim() !== ""} /> : null}
        </div>
      ) : null}
      <div ref={list} className={styles.list}>
        {options.length === 0 ? <p className={styles.note}>No options for these filters.</p> : null}
        {found.slice(0, drawnMax).map((option) => (
          <Choice
            key={option.value}
            option={option}
            isSingle={!isMultiple}
            isOn={selected.includes(option.value)}
            onToggle={() => toggle(option.value)}
          />
        ))}
        <p className={styles.note} role="status">
          {describeRest({ noun, foundCount: found.length, isEmpty: options.length === 0 })}
        </p>
      </div>
    </div>
  );
}

/** Not on a touchscreen, whose keyboard would cover the choices. */
function focusByMouse(input: HTMLInputElement | null): void {
  if (window.matchMedia("(pointer: fine)").matches) input?.focus();
}

type PickerButtonProps = Omit<PickerProps, "isFramed"> & {
  /** The name of the group of choices. */
  label: string;
  button: ReactNode;
  isActive?: boolean;
  /** Looks like the fields beside it. */
  isField?: boolean;
  onOpen?: () => void;
};

/** A picker behind a button. One choice closes it. */
export function PickerButton(props: PickerButtonProps) {
  const { label, button, isActive = false, isField = false, onOpen, ...picker } = props;
  return (
    <Popover
      button={button}
      isActive={isActive}
      isField={isField}
      isWide={picker.options.length >= manyMin}
      {...(onOpen && { onOpen })}
    >
      {(close) => (
        <fieldset className={styles.group}>
          <legend className="visually-hidden">{label}</legend>
          <Picker
            {...picker}
            onSelect={(selected) => {
              picker.onSelect(selected);
              if (!picker.isMultiple) close();
            }}
          />
        </fieldset>
      )}
    </Popover>
  );
}

function toggled({ options, selected, isMultiple }: PickerProps, value: string): string[] {
  const isOn = selected.includes(value);
  if (!isMultiple) return isOn ? [] : [value];
  const next = isOn ? selected.filter((one) => one !== value) : [...selected, value];
  return options.map((one) => one.value).filter((one) => next.includes(one));
}

function sortChosenFirst(
  options: readonly PickerOption[],
  chosen: ReadonlySet<string>,
): readonly PickerOption[] {
  return [
    ...options.filter(({ value }) => chosen.has(value)),
    ...options.filter(({ value }) => !chosen.has(value)),
  ];
}

function find(options: readonly PickerOption[], text: string): readonly PickerOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return options.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

function describeRest(of: { noun: string; foundCount: number; isEmpty: boolean }): string {
  if (of.foundCount === 0 && !of.isEmpty) return `No ${of.noun} have these words.`;
  const rest = of.foundCount - drawnMax;
  return rest > 0 ? `${formatCount(rest)} more: search for them.` : "";
}

type SeveralProps = Pick<PickerProps, "options" | "selected" | "onSelect"> & {
  isSearching: boolean;
};

function Several({ options, selected, onSelect, isSearching }: SeveralProps) {
  return (
    <div className={styles.several}>
      <span className={styles.count}>
        {`${formatCount(selected.length)} of ${formatCount(options.length)}`}
      </span>
      {/* Not during a search: more would be chosen than is in sight. */}
      <Button
        small
        kind="quiet"
        disabled={isSearching}
        onClick={() => onSelect(options.map(({ value }) => value))}
      >
        All
      </Button>
      <Button small kind="quiet" onClick={() => onSelect([])}>
        None
      </Button>
    </div>
  );
}

type ChoiceProps = {
  option: PickerOption;
  isSingle: boolean;
  isOn: boolean;
  onToggle: () => void;
};

function Choice({ option: { label, count }, isSingle, isOn, onToggle }: ChoiceProps) {
  const id = useId();
  return (
    <label className={styles.choice} title={label}>
      <input
        type="checkbox"
        data-single={isSingle ? "" : undefined}
        checked={isOn}
        aria-labelledby={id}
        onChange={onToggle}
      />
      <span id={id} dir="auto">
        {label}
      </span>
      {count === undefined ? null : (
        <span className={styles.count} title={formatQuantity(count, "review")}>
          {formatCount(count)}
        </span>
      )}
    </label>
  );
}

/** Between the search and the choices; whether the key was one of them. */
function moveFocus(list: HTMLElement | null, { key, target }: KeyboardEvent): boolean {
  const boxes = [...(list?.querySelectorAll<HTMLInputElement>("input[type=checkbox]") ?? [])];
  const at = boxes.indexOf(target as HTMLInputElement);
  const isInList = at >= 0;
  const targets: Record<string, number | undefined> = {
    ArrowDown: Math.min(at + 1, boxes.length - 1),
    ArrowUp: isInList ? Math.max(0, at - 1) : undefined,
    Home: isInList ? 0 : undefined,
    End: isInList ? boxes.length - 1 : undefined,
  };
  const index = targets[key];
  if (index === undefined) return false;
  boxes[index]?.focus();
  return true;
}
