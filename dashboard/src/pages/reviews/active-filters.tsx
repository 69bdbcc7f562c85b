// The active filters, each removed with one click.
import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { Button } from "../../components/button.tsx";
import { RemovableChip } from "../../components/chip.tsx";
import { formatDay } from "../../format/dates.ts";
import { capitalised, storeName, topicName } from "../../format/names.ts";
import { type FeedFilters, toQuery } from "./filters.ts";
import styles from "./reviews.module.css";

type ActiveFiltersProps = {
  filters: FeedFilters;
  apps: readonly FollowedApp[];
  onChange: (filters: FeedFilters) => void;
};

export function ActiveFilters({ filters, apps, onChange }: ActiveFiltersProps) {
  const active = Object.entries(toQuery(filters));
  if (active.length === 0) return null;
  const remove = (name: string) => {
    const { [name as keyof FeedFilters]: _removed, ...rest } = filters;
    onChange(rest);
  };
  return (
    <div className={styles.chips}>
      {active.map(([name, value]) => (
        <RemovableChip key={name} action="Remove the filter" onRemove={() => remove(name)}>
          {describeFilter({ name, value, apps })}
        </RemovableChip>
      ))}
      <Button small kind="quiet" onClick={() => onChange({})}>
        Clear all
      </Button>
    </div>
  );
}

type ActiveFilter = { name: string; value: string; apps: readonly FollowedApp[] };

function describeFilter({ name, value, apps }: ActiveFilter): string {
  switch (name) {
    case "app":
      return apps.find(({ id }) => id === value)?.name ?? "One app";
    case "store":
      return storeName(value);
    case "rating":
      return value === "1" ? "1 star" : `${value} stars`;
    case "topic":
      return topicName(value);
    case "from":
      return `From ${formatDay(value)}`;
    case "to":
      return `To ${formatDay(value)}`;
    case "version":
      return `Version ${value}`;
    case "q":
      return `“${value}”`;
    case "editedOnly":
      return "Edited";
    default:
      return capitalised(value);
  }
}
