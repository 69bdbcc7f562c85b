// Selects storefronts or languages from a list that can be searched: one by one, a part of the world at once, or a
// well-known set. The selected ones come first; typing only filters the list.
import { type KeyboardEvent, useState } from "react";
import { useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { countryName, languageName } from "../../format/names.ts";
import { formatCount } from "../../format/numbers.ts";
import styles from "./region-picker.module.css";
import { euStorefronts, storefrontGroups, topStorefronts } from "./storefront-groups.ts";

type RegionKind = "countries" | "languages";

type RegionPickerProps = {
  kind: RegionKind;
  /** null: the defaults. */
  selected: readonly string[] | null;
  error: string | undefined;
  onChange: (selected: string[]) => void;
};

const labels = {
  countries: { legend: "Storefronts", search: "Search storefronts", nameOf: countryName },
  languages: { legend: "Languages", search: "Search languages", nameOf: languageName },
};

export function RegionPicker({ kind, selected, error, onChange }: RegionPickerProps) {
  const { legend, search, nameOf } = labels[kind];
  const choices = useApiQuery("GET /choices", {}).data;
  const [text, setText] = useState("");
  // The order changes with the search and with a set, never under the pointer.
  const [first, setFirst] = useState<readonly string[] | null>(null);
  const [all = [], defaults = []] =
    kind === "countries"
      ? [choices?.storefronts, choices?.defaultCountries]
      : [choices?.languages, choices?.defaultLanguages];
  const current = selected ?? defaults;
  const replaceAll = (codes: readonly string[]) => {
    setFirst(codes);
    onChange([...codes]);
  };
  return (
    <fieldset className={styles.picker}>
      <legend className={styles.legend}>
        {legend}{" "}
        <span className={styles.count}>
          {formatCount(current.length)} of {formatCount(all.length)} selected
        </span>
      </legend>
      <Sets kind={kind} all={all} defaults={defaults} onSelect={replaceAll} />
      <TextField
        label={search}
        hideLabel
        type="search"
        placeholder={search}
        maxLength={60}
        value={text}
        onKeyDown={keepForm}
        onValueChange={(typed) => {
          setFirst(current);
          setText(typed);
        }}
      />
      <div className={styles.list}>
        <Sections
          sections={toSections({ kind, all, first: first ?? current, nameOf, text })}
          canSelectAll={text.trim() === ""}
          current={current}
          nameOf={nameOf}
          onChange={onChange}
        />
      </div>
      {error ? (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

// Enter in the search would send the form around it.
function keepForm(event: KeyboardEvent): void {
  if (event.key === "Enter") event.preventDefault();
}

type SetsProps = {
  kind: RegionKind;
  all: readonly string[];
  defaults: readonly string[];
  onSelect: (codes: readonly string[]) => void;
};

function Sets({ kind, all, defaults, onSelect }: SetsProps) {
  const sets =
    kind === "countries"
      ? [
          { name: "Top 10", codes: topStorefronts },
          { name: "EU", codes: euStorefronts },
          { name: "All", codes: all },
        ]
      : [];
  const isListed = sets.some(({ codes }) => codes.join() === defaults.join());
  return (
    <div className={styles.sets}>
      {[...sets, ...(isListed ? [] : [{ name: "Default", codes: defaults }])].map(
        ({ name, codes }) => (
          <Button key={name} small onClick={() => onSelect(codes)}>
            {name}
          </Button>
        ),
      )}
    </div>
  );
}

type Section = { name: string; codes: readonly string[] };

type SectionsInput = {
  kind: RegionKind;
  all: readonly string[];
  first: readonly string[];
  nameOf: (code: string) => string;
  text: string;
};

function toSections({ kind, all, first, nameOf, text }: SectionsInput): Section[] {
  const entry = text.trim().toLowerCase();
  const rest = (codes: readonly string[]) => codes.filter((code) => !first.includes(code));
  const groups = kind === "countries" ? storefrontGroups : [{ name: "Others", codes: all }];
  return [
    { name: "Selected", codes: first },
    ...groups.map((one) => ({ ...one, codes: rest(one.codes) })),
  ]
    .map(({ name, codes }) => ({
      name,
      codes: codes
        .filter((code) => code === entry || nameOf(code).toLowerCase().includes(entry))
        .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), "en")),
    }))
    .filter(({ codes }) => codes.length > 0);
}

type SectionsProps = {
  sections: readonly Section[];
  /** Not during a search: a click would select more than is in sight. */
  canSelectAll: boolean;
  current: readonly string[];
  nameOf: (code: string) => string;
  onChange: (selected: string[]) => void;
};

function Sections({ sections, canSelectAll, current, nameOf, onChange }: SectionsProps) {
  const toggle = (codes: readonly string[], isOn: boolean) =>
    onChange(
      isOn ? [...new Set([...current, ...codes])] : current.filter((one) => !codes.includes(one)),
    );
  if (sections.length === 0) return <p className={styles.empty}>No match</p>;
  return sections.map(({ name, codes }) => (
    <div key={name}>
      {canSelectAll ? (
        <Choice
          isHeading
          name={`${name} (${codes.length})`}
          isOn={codes.every((code) => current.includes(code))}
          isPartly={codes.some((code) => current.includes(code))}
          onToggle={(isOn) => toggle(codes, isOn)}
        />
      ) : (
        <p className={styles.heading}>{name}</p>
      )}
      <div className={styles.choices}>
        {codes.map((code) => (
          <Choice
            key={code}
            name={nameOf(code)}
            isOn={current.includes(code)}
            onToggle={(isOn) => toggle([code], isOn)}
          />
        ))}
      </div>
    </div>
  ));
}

type ChoiceProps = {
  name: string;
  isHeading?: boolean;
  isOn: boolean;
  isPartly?: boolean;
  onToggle: (isOn: boolean) => void;
};

function Choice({ name, isHeading = false, isOn, isPartly = false, onToggle }: ChoiceProps) {
  return (
    <label className={isHeading ? `${styles.choice} ${styles.heading}` : styles.choice}>
      <input
        type="checkbox"
        checked={isOn}
        ref={(input) => {
          if (input) input.indeterminate = isPartly && !isOn;
        }}
        onChange={(event) => onToggle(event.target.checked)}
      />
      <span>{name}</span>
    </label>
  );
}
