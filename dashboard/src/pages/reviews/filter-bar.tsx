// The fields of the filters. A choice applies at once; the text search with its button or Enter.
import { useState } from "react";
import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Select, Switch, TextField } from "../../components/field.tsx";
import { todayUtc } from "../../format/clock.ts";
import { appLabel, capitalised, storeName, topicName } from "../../format/names.ts";
import { formatCount } from "../../format/numbers.ts";
import { countFilters, type FeedFilters } from "./filters.ts";
import styles from "./reviews.module.css";

type FilterBarProps = {
  filters: FeedFilters;
  apps: readonly FollowedApp[];
  onChange: (filters: FeedFilters) => void;
};

export function FilterBar(props: FilterBarProps) {
  const { filters } = props;
  const [isOpen, setOpen] = useState(() => window.innerWidth > 900);
  const count = countFilters({ ...filters, q: "" });
  return (
    <search className={styles.bar}>
      <TextSearch key={filters.q ?? ""} {...props} />
      <details
        className={styles.more}
        open={isOpen}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>{count > 0 ? `Filters (${count})` : "Filters"}</summary>
        <div className={styles.fields}>
          <FilterFields {...props} />
        </div>
      </details>
    </search>
  );
}

function TextSearch({ filters, onChange }: FilterBarProps) {
  const [text, setText] = useState(filters.q ?? "");
  const isShort = text.trim().length === 1;
  return (
    <form
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isShort) onChange({ ...filters, q: text.trim() });
      }}
    >
      <TextField
        label="Search in reviews"
        hideLabel
        type="search"
        placeholder="Search in title, text, translation or author"
        maxLength={100}
        value={text}
        error={isShort ? "Two characters or more" : undefined}
        onValueChange={setText}
      />
      <Button type="submit">Search</Button>
    </form>
  );
}

const any = { value: "", label: "All" };
const stars = [5, 4, 3, 2, 1].map((rating) => ({
  value: String(rating),
  label: rating === 1 ? "1 star" : `${rating} stars`,
}));
const sentiments = ["positive", "neutral", "mixed", "negative"].map((value) => ({
  value,
  label: capitalised(value),
}));
const stores = ["appstore", "googleplay"].map((value) => ({ value, label: storeName(value) }));

function FilterFields({ filters, apps, onChange }: FilterBarProps) {
  const set = (change: Partial<Record<keyof FeedFilters, string>>) =>
    onChange({ ...filters, ...change } as FeedFilters);
  const appOptions = apps.map((app) => ({ value: app.id, label: appLabel(app) }));
  const topics = useTopicOptions(filters);
  return (
    <>
      <Select
        label="App"
        value={filters.app ?? ""}
        options={[any, ...appOptions]}
        onValueChange={(app) => set({ app })}
      />
      <Select
        label="Store"
        value={filters.store ?? ""}
        options={[any, ...stores]}
        onValueChange={(store) => set({ store })}
      />
      <Select
        label="Stars"
        value={String(filters.rating ?? "")}
        options={[any, ...stars]}
        onValueChange={(rating) => set({ rating })}
      />
      <Select
        label="Sentiment"
        value={filters.sentiment ?? ""}
        options={[any, ...sentiments]}
        onValueChange={(sentiment) => set({ sentiment })}
      />
      <Select
        label="Topic"
        value={filters.topic ?? ""}
        options={[any, ...topics]}
        onValueChange={(topic) => set({ topic })}
      />
      <TextField
        label="From"
        type="date"
        min="2008-01-01"
        max={filters.to ?? todayUtc()}
        value={filters.from ?? ""}
        onValueChange={(from) => set({ from })}
      />
      <TextField
        label="To"
        type="date"
        min={filters.from ?? "2008-01-01"}
        max={todayUtc()}
        value={filters.to ?? ""}
        onValueChange={(to) => set({ to })}
      />
      <div style={{ alignSelf: "end", paddingBottom: 6 }}>
        <Switch
          label="Edited only"
          on={filters.editedOnly === true}
          onChange={(editedOnly) => onChange({ ...filters, editedOnly })}
        />
      </div>
    </>
  );
}

// The topic of the current filter is always an option, even if no review has it.
function useTopicOptions({ app, topic }: FeedFilters): { value: string; label: string }[] {
  const known = useApiQuery("GET /workspaces/:workspace/topics", { query: app ? { app } : {} });
  const options = (known.data?.topics ?? []).map((one) => ({
    value: one.topic,
    label: `${topicName(one.topic)} (${formatCount(one.count)})`,
  }));
  if (!topic || options.some(({ value }) => value === topic)) return options;
  return [{ value: topic, label: topicName(topic) }, ...options];
}
