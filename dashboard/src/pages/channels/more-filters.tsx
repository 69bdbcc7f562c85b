// Further filters of a channel: those of the Reviews page, folded until one of them is set.
import { Select, TextField } from "../../components/field.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { storeIds, storeName } from "../../format/stores.ts";
import { nameFilters } from "../reviews/filter-names.ts";
import { type FeedFilters, flags, readFilters, viewQuery } from "../reviews/filters.ts";
import styles from "./channels.module.css";

type MoreFiltersProps = {
  /** As search parameters of the Reviews page. */
  filter: string;
  error: string | undefined;
  onChange: (filter: string) => void;
};

const any = { value: "", label: "Any" };
const sentiments = ["positive", "neutral", "negative", "mixed"].map(toOption(capitalised));
const answers = ["unanswered", "answered", "outdated"].map(toOption(capitalised));
const stores = storeIds.map(toOption(storeName));

export function MoreFilters({ filter, error, onChange }: MoreFiltersProps) {
  const params = new URLSearchParams(filter);
  const named = nameFilters(readFilters(params), []).join(", ");
  const field = (name: keyof FeedFilters) => ({
    value: params.get(name) ?? "",
    onValueChange: (value: string) => onChange(viewQuery(withValue(params, name, value))),
  });
  return (
    <details className={styles.moreFilters} open={error !== undefined || undefined}>
      <summary>More filters{named ? `: ${named}` : ""}</summary>
      {error ? <p role="alert">{error}</p> : null}
      <div className={styles.moreFields}>
        <TextField label="Words" maxLength={100} {...field("q")} />
        <Select label="Sentiment" options={[any, ...sentiments]} {...field("sentiment")} />
        <TextField label="Country" placeholder="de" maxLength={20} {...field("country")} />
        <TextField label="Language" placeholder="de" maxLength={20} {...field("language")} />
        <TextField label="Version" maxLength={200} {...field("version")} />
        <Select label="Store" options={[any, ...stores]} {...field("store")} />
        <Select label="Answer" options={[any, ...answers]} {...field("reply")} />
        <TextField label="Characters at least" inputMode="numeric" {...field("minLength")} />
        {flags.map(([name, [yes, no, label]]) =>
          label === null ? null : (
            <Select
              key={name}
              label={label}
              options={[any, { value: "true", label: yes }, { value: "false", label: no }]}
              {...field(name)}
            />
          ),
        )}
      </div>
    </details>
  );
}

function withValue(params: URLSearchParams, name: string, value: string): FeedFilters {
  const next = new URLSearchParams(params);
  if (value === "") next.delete(name);
  else next.set(name, value);
  return readFilters(next);
}

function toOption(nameOf: (value: string) => string) {
  return (value: string) => ({ value, label: nameOf(value) });
}
