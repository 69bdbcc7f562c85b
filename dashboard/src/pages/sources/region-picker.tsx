// Selects storefronts or languages: the defaults, all of them, or any set.
import { useId, useState } from "react";
import { useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { RemovableChip } from "../../components/chip.tsx";
import { Alert } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { countryName, languageName } from "../../format/names.ts";
import styles from "./sources.module.css";

type RegionKind = "countries" | "languages";

type RegionPickerProps = {
  kind: RegionKind;
  /** null: the defaults. */
  selected: readonly string[] | null;
  error: string | undefined;
  onChange: (selected: string[]) => void;
};

// Above it, chips would fill the form.
const chipCountMax = 40;

const labels = {
  countries: { legend: "Storefronts", add: "Add a storefront", nameOf: countryName },
  languages: { legend: "Languages", add: "Add a language", nameOf: languageName },
};

export function RegionPicker({ kind, selected, error, onChange }: RegionPickerProps) {
  const { legend, nameOf } = labels[kind];
  const choices = useApiQuery("GET /choices", {}).data;
  const [all = [], defaults = []] =
    kind === "countries"
      ? [choices?.storefronts, choices?.defaultCountries]
      : [choices?.languages, choices?.defaultLanguages];
  const current = selected ?? defaults;
  return (
    <fieldset className={styles.stack}>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.regions}>
        {current.length > chipCountMax ? (
          <Alert>{`${current.length} of ${all.length} selected`}</Alert>
        ) : (
          current.map((code) => (
            <RemovableChip
              key={code}
              action="Remove"
              onRemove={() => onChange(current.filter((one) => one !== code))}
            >
              {nameOf(code)}
            </RemovableChip>
          ))
        )}
      </div>
      <AddRegion
        kind={kind}
        all={all}
        onAdd={(code) => onChange([...new Set([...current, code])])}
      />
      <div className={styles.actions}>
        {kind === "countries" ? (
          <Button small onClick={() => onChange([...all])}>
            Select all
          </Button>
        ) : null}
        <Button small onClick={() => onChange([...defaults])}>
          Reset to default
        </Button>
      </div>
      {error ? (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

type AddRegionProps = { kind: RegionKind; all: readonly string[]; onAdd: (code: string) => void };

function AddRegion({ kind, all, onAdd }: AddRegionProps) {
  const { add, nameOf } = labels[kind];
  const [text, setText] = useState("");
  const listId = useId();
  // A complete name or code is added without a click, as is a suggestion that the user selects.
  const change = (typed: string) => {
    const entry = typed.trim().toLowerCase();
    const code = all.find((one) => one === entry || nameOf(one).toLowerCase() === entry);
    if (code && entry.length > 1) onAdd(code);
    setText(code && entry.length > 1 ? "" : typed);
  };
  return (
    <>
      <TextField
        label={add}
        list={listId}
        placeholder="Type its name"
        value={text}
        onValueChange={change}
      />
      <datalist id={listId}>
        {all.map((code) => (
          <option key={code} value={nameOf(code)} />
        ))}
      </datalist>
    </>
  );
}
