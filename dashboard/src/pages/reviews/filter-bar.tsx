// One row with the search and all filters. A choice applies at once; `/` focuses the search. The counts beside
// the choices follow the other filters.
import { useEffect, useRef, useState } from "react";
import type { NamedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import type { FeedSummary } from "../../../../src/dashboard-api/contract/reviews.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { TextField } from "../../components/field.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { capitalised } from "../../format/capitalised.ts";
import { appLabel, languageName, placeName, topicName } from "../../format/names.ts";
import { storeIds, storeName } from "../../format/stores.ts";
import { DateFilter } from "./date-filter.tsx";
import { FacetFilter } from "./facet-filter.tsx";
import { type FeedFilters, flags } from "./filters.ts";
import styles from "./reviews.module.css";

type FilterBarProps = {
  filters: FeedFilters;
  apps: readonly NamedApp[];
  /** null while it is loading. */
  summary: FeedSummary | null;
  onChange: (filters: FeedFilters, options?: { replace: boolean }) => void;
};

export function FilterBar(props: FilterBarProps) {
  return (
    <search className={styles.bar} data-print="hidden">
      <TextSearch {...props} />
      <Facets {...props} />
      <DateFilter {...props} />
      <MoreFilters {...props} />
    </search>
  );
}

function TextSearch({ filters, onChange }: FilterBarProps) {
  const form = useRef<HTMLFormElement>(null);
  const { text, setText, apply } = useTypedSearch({ filters, onChange });
  useSlashKey(form);
  const isShort = text.trim().length === 1;
  return (
    <form
      ref={form}
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        apply(text);
      }}
    >
      <TextField
        label="Search in reviews"
        hideLabel
        type="search"
        placeholder="Search  ( / )"
        maxLength={100}
        value={text}
        fault={isShort ? "Two characters or more" : undefined}
        onValueChange={setText}
      />
    </form>
  );
}

/** Searches while the user types, and follows the filters when something else changes them. */
function useTypedSearch({ filters, onChange }: Pick<FilterBarProps, "filters" | "onChange">) {
  const { q = "" } = filters;
  const [text, setText] = useState(q);
  const applied = useRef(q);
  const typed = useDebounced(text);
  const apply = (words: string) => {
    const next = words.trim();
    if (next.length === 1 || next === applied.current) return;
    applied.current = next;
    // One step back leads to the page before the search, not to half a word.
    onChange({ ...filters, q: next }, { replace: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the user paused
  useEffect(() => apply(typed), [typed]);
  useEffect(() => {
    if (q === applied.current) return;
    applied.current = q;
    setText(q);
  }, [q]);
  return { text, setText, apply };
}

function useSlashKey(form: { current: HTMLFormElement | null }): void {
  useEffect(() => {
    const focusSearch = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.matches("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      form.current?.querySelector("input")?.focus();
    };
    document.addEventListener("keydown", focusSearch);
    return () => document.removeEventListener("keydown", focusSearch);
  }, [form]);
}

const noFacets = { rating: [], sentiment: [], topic: [], country: [], language: [], version: [] };
const answers = (["unanswered", "answered", "outdated"] as const).map((value) => ({ value }));
const stores = storeIds.map((value) => ({ value }));

function Facets({ filters, apps, summary, onChange }: FilterBarProps) {
  const facets = summary?.facets ?? noFacets;
  const one = (name: keyof FeedFilters) => ({
    chosen: filters[name] === undefined ? [] : [String(filters[name])],
    onChoose: ([value]: string[]) => onChange({ ...filters, [name]: value }),
  });
  const byStars = facets.rating.toSorted((a, b) => b.value.localeCompare(a.value));
  return (
    <>
      {apps.length > 1 ? (
        <FacetFilter
          {...one("app")}
          label="App"
          choices={sortByName(apps).map(({ id }) => ({ value: id }))}
          nameOf={(id) => nameOfApp(apps, id)}
        />
      ) : null}
      <FacetFilter
        label="Stars"
        noun="stars"
        isMultiple
        chosen={(filters.rating ?? []).map(String)}
        choices={byStars}
        nameOf={(stars) => `${stars} ★`}
        onChoose={(values) => onChange({ ...filters, rating: values.map(Number) })}
      />
      <FacetFilter
        {...one("sentiment")}
        label="Sentiment"
        choices={facets.sentiment}
        nameOf={capitalised}
      />
      <FacetFilter {...one("topic")} label="Topic" choices={facets.topic} nameOf={topicName} />
      <FacetFilter
        {...one("country")}
        label="Country"
        noun="countries"
        choices={facets.country}
        nameOf={placeName}
      />
      <FacetFilter
        {...one("language")}
        label="Language"
        choices={facets.language}
        nameOf={languageName}
      />
      <FacetFilter {...one("version")} label="Version" choices={facets.version} nameOf={String} />
      <FacetFilter {...one("reply")} label="Answer" choices={answers} nameOf={capitalised} />
      {new Set(apps.map(({ store }) => store)).size > 1 ? (
        <FacetFilter {...one("store")} label="Store" choices={stores} nameOf={storeName} />
      ) : null}
    </>
  );
}

function sortByName(apps: readonly NamedApp[]): readonly NamedApp[] {
  return apps.toSorted((one, other) => appLabel(one).localeCompare(appLabel(other)));
}

function nameOfApp(apps: readonly NamedApp[], id: string): string {
  const app = apps.find((one) => one.id === id);
  return app ? appLabel(app) : "One app";
}

const longText = 100;
const statuses = ["open", "done"] as const;

/** Rarer filters in one chip: texts, edits, replies, and the team's tags and assignees. */
function MoreFilters({ filters, onChange }: FilterBarProps) {
  const { minLength, tag, assignee, status } = filters;
  const [isOpened, setOpened] = useState(false);
  const isDisabled = !isOpened && assignee === undefined;
  const tags = useApiQuery("GET /workspaces/:workspace/tags", {}, { isDisabled }).data?.tags ?? [];
  const members =
    useApiQuery("GET /workspaces/:workspace/members", {}, { isDisabled }).data?.members ?? [];
  const chosen = [
    ...flags.flatMap(([name, [yes, no]]) => {
      const value = filters[name];
      return value === undefined ? [] : [value ? yes : no];
    }),
    ...(minLength === undefined ? [] : ["long"]),
    ...(status ? [status] : []),
    ...(tag ? [`#${tag}`] : []),
    ...(assignee ? [`@${assignee}`] : []),
  ];
  const nameOf = (value: string) => {
    if (value === "long") return `${minLength ?? longText} characters or more`;
    if (value.startsWith("#")) return `# ${value.slice(1)}`;
    if (!value.startsWith("@")) return capitalised(value);
    const member = members.find(({ userId }) => userId === value.slice(1));
    return `@ ${member?.name ?? "Somebody who left"}`;
  };
  const choose = (values: string[]) => {
    // If two exclude each other, the one that was chosen last.
    const added = values.find((value) => !chosen.includes(value));
    const kept = values.filter(
      (value) => value === added || added === undefined || !excludesOther(value, added),
    );
    const chosenFlags = flags.map(([name, [yes, no]]) => [
      name,
      kept.includes(yes) || (kept.includes(no) ? false : undefined),
    ]);
    onChange({
      ...filters,
      ...Object.fromEntries(chosenFlags),
      minLength: kept.includes("long") ? (minLength ?? longText) : undefined,
      status: statuses.find((value) => kept.includes(value)),
      tag: kept.find((value) => value.startsWith("#"))?.slice(1),
      assignee: kept.find((value) => value.startsWith("@"))?.slice(1),
    });
  };
  const values = [
    ...flags.flatMap(([, [yes, no]]) => [yes, no]),
    "long",
    ...statuses,
    ...tags.map((one) => `#${one.tag}`),
    ...members.map(({ userId }) => `@${userId}`),
  ];
  return (
    <FacetFilter
      label="More"
      noun="filters"
      isMultiple
      onOpen={() => setOpened(true)}
      chosen={chosen}
      choices={values.map((value) => ({ value }))}
      nameOf={nameOf}
      onChoose={choose}
    />
  );
}

const alternatives: readonly (readonly string[])[] = [
  statuses,
  ...flags.map(([, [yes, no]]) => [yes, no]),
  ["long", "Without a text"],
];

/** There is one tag and one assignee. */
function excludesOther(one: string, other: string): boolean {
  const isSameMark = /^[#@]/.test(one) && one.charAt(0) === other.charAt(0);
  return isSameMark || alternatives.some((pair) => pair.includes(one) && pair.includes(other));
}
