// Chooses storefronts or languages: the usual ones, or any set of them, with a name to type and add.
import { useId, useState } from "react";
import { useAnswer } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { FilterChip } from "../../components/chip.tsx";
import { Note } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { countryName, languageName } from "../../format/names.ts";
import styles from "./sources.module.css";

type RegionPickerProps = {
  kind: "countries" | "languages";
  /** null: the defaults. */
  chosen: readonly string[] | null;
  error: string | undefined;
  onChange: (chosen: string[]) => void;
};

const wording = {
  countries: { label: "Storefronts", one: "Add a storefront", nameOf: countryName },
  languages: { label: "Languages", one: "Add a language", nameOf: languageName },
};

export function RegionPicker({ kind, chosen, error, onChange }: RegionPickerProps) {
  const { label, nameOf } = wording[kind];
  const choices = useAnswer("GET /choices", {}).data;
  const all = (kind === "countries" ? choices?.storefronts : choices?.languages) ?? [];
  const usual =
    (kind === "countries" ? choices?.defaultCountries : choices?.defaultLanguages) ?? [];
  const current = chosen ?? usual;
  return (
    <fieldset className={styles.form}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.regions}>
        {current.length > 40 ? (
          <Note>{`${current.length} of ${all.length} are chosen`}</Note>
        ) : (
          current.map((code) => (
            <FilterChip key={code} onRemove={() => onChange(current.filter((one) => one !== code))}>
              {nameOf(code)}
            </FilterChip>
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
            All of them
          </Button>
        ) : null}
        <Button small onClick={() => onChange([...usual])}>
          The usual ones
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

type AddRegionProps = {
  kind: "countries" | "languages";
  all: readonly string[];
  onAdd: (code: string) => void;
};

function AddRegion({ kind, all, onAdd }: AddRegionProps) {
  const { one, nameOf } = wording[kind];
  const [text, setText] = useState("");
  const listId = useId();
  // A chosen suggestion is complete, and so is a typed code or name.
  const take = (typed: string) => {
    const wanted = typed.trim().toLowerCase();
    const code = all.find((known) => nameOf(known).toLowerCase() === wanted || known === wanted);
    if (code && wanted.length > 1) onAdd(code);
    setText(code && wanted.length > 1 ? "" : typed);
  };
  return (
    <>
      <TextField label={one} list={listId} placeholder="Type its name" value={text} onText={take} />
      <datalist id={listId}>
        {all.map((code) => (
          <option key={code} value={nameOf(code)} />
        ))}
      </datalist>
    </>
  );
}
