// One row with the search and all filters. A choice applies at once; `/` focuses the search. The counts beside
// the choices follow the other filters.
import { useEffect, useRef, useState } from "react";
import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import type { FeedSummary } from "../../../../src/dashboard-api/contract/reviews.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { TextField } from "../../components/field.tsx";
import { Popover } from "../../components/popover.tsx";
import { todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import {
  appLabel,
  capitalised,
  languageName,
  placeName,
  storeName,
  topicName,
} from "../../format/names.ts";
import { FacetFilter } from "./facet-filter.tsx";
import type { FeedFilters } from "./filters.ts";
import styles from "./reviews.module.css";

type FilterBarProps = {
  filters: FeedFilters;
  apps: readonly FollowedApp[];
  /** null while it is loading. */
  summary: FeedSummary | null;
  onChange: (filters: FeedFilters) => void;
};

export function FilterBar(props: FilterBarProps) {
  return (
    <search className={styles.bar}>
      <TextSearch key={props.filters.q ?? ""} {...props} />
      <Facets {...props} />
      <DateFilter {...props} />
      <MoreFilters {...props} />
    </search>
  );
}

function TextSearch({ filters, onChange }: FilterBarProps) {
  const [text, setText] = useState(filters.q ?? "");
  const form = useRef<HTMLFormElement>(null);
  useSlashKey(form);
  const isShort = text.trim().length === 1;
  return (
    <form
      ref={form}
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
        placeholder="Search  ( / )"
        maxLength={100}
        value={text}
        error={isShort ? "Two characters or more" : undefined}
        onValueChange={(next) => {
          setText(next);
          // The field's own cross empties it without a submit.
          if (next === "" && filters.q) onChange({ ...filters, q: "" });
        }}
      />
    </form>
  );
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
const stores = ["appstore", "googleplay"].map((value) => ({ value }));

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
          choices={apps.map(({ id }) => ({ value: id }))}
          nameOf={(id) => nameOfApp(apps, id)}
        />
      ) : null}
      <FacetFilter
        label="Stars"
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
      <WorkFacets filters={filters} one={one} />
      {new Set(apps.map(({ store }) => store)).size > 1 ? (
        <FacetFilter {...one("store")} label="Store" choices={stores} nameOf={storeName} />
      ) : null}
    </>
  );
}

type OneFacet = { chosen: string[]; onChoose: (values: string[]) => void };

/** Tags and assignees, once the workspace has any. */
function WorkFacets(props: { filters: FeedFilters; one: (name: keyof FeedFilters) => OneFacet }) {
  const { filters, one } = props;
  const tags = useApiQuery("GET /workspaces/:workspace/tags", {}).data?.tags ?? [];
  const members = useApiQuery("GET /workspaces/:workspace/members", {}).data?.members ?? [];
  const nameOfMember = (id: string) =>
    members.find(({ userId }) => userId === id)?.name ?? "Somebody who left";
  return (
    <>
      {tags.length > 0 || filters.tag ? (
        <FacetFilter
          {...one("tag")}
          label="Tag"
          choices={tags.map(({ tag }) => ({ value: tag }))}
          nameOf={String}
        />
      ) : null}
      {members.length > 1 || filters.assignee ? (
        <FacetFilter
          {...one("assignee")}
          label="Assigned"
          choices={members.map(({ userId }) => ({ value: userId }))}
          nameOf={nameOfMember}
        />
      ) : null}
    </>
  );
}

function nameOfApp(apps: readonly FollowedApp[], id: string): string {
  const app = apps.find((one) => one.id === id);
  return app ? appLabel(app) : "One app";
}

function DateFilter({ filters, onChange }: FilterBarProps) {
  const { from, to } = filters;
  const days = [from ? formatDay(from) : "", to ? formatDay(to) : ""].join(" – ");
  return (
    <Popover isActive={Boolean(from || to)} button={from || to ? days : "Dates"}>
      {() => (
        <div className={styles.dates}>
          <TextField
            label="From"
            type="date"
            min="2008-01-01"
            max={to ?? todayUtc()}
            value={from ?? ""}
            onValueChange={(day) => onChange({ ...filters, from: day })}
          />
          <TextField
            label="To"
            type="date"
            min={from ?? "2008-01-01"}
            max={todayUtc()}
            value={to ?? ""}
            onValueChange={(day) => onChange({ ...filters, to: day })}
          />
        </div>
      )}
    </Popover>
  );
}

const more = { edited: "Edited", replied: "With a reply", unreplied: "Without a reply" };

function MoreFilters({ filters, onChange }: FilterBarProps) {
  const { editedOnly, hasReply } = filters;
  const chosen = [
    ...(editedOnly ? ["edited"] : []),
    ...(hasReply === undefined ? [] : [hasReply ? "replied" : "unreplied"]),
  ];
  // Of the two about replies, the one that was chosen last.
  const choose = (values: string[]) => {
    const added = values.find((value) => !chosen.includes(value));
    const reply = added?.endsWith("replied") ? added : values.find((one) => one !== "edited");
    onChange({
      ...filters,
      editedOnly: values.includes("edited"),
      hasReply: reply === undefined ? undefined : reply === "replied",
    });
  };
  return (
    <FacetFilter
      label="More"
      isMultiple
      chosen={chosen}
      choices={Object.keys(more).map((value) => ({ value }))}
      nameOf={(value) => more[value as keyof typeof more]}
      onChoose={choose}
    />
  );
}
