// Compares the reviews of the page with others: those of the days before, of the release before, of another app or country.
import type { Overview } from "../../../../src/dashboard-api/contract/overview.ts";
import { withQuery } from "../../api/http-request.ts";
import { Icon } from "../../components/icon.tsx";
import { Link } from "../../components/link.tsx";
import { Menu, menuItem } from "../../components/menu.tsx";
import { daysBetween } from "../../format/clock.ts";
import { appLabel, originName } from "../../format/names.ts";
import { formatQuantity } from "../../format/numbers.ts";
import { storeIds, storeName } from "../../format/stores.ts";
import { type FeedFilters, viewQuery } from "../reviews/filters.ts";

type Comparison = { label: string; a: FeedFilters; b: FeedFilters };
type NamedApp = Parameters<typeof appLabel>[0] & { id: string };
type CompareMenuProps = {
  overview: Overview;
  /** The one on the page; absent where it shows all. */
  app: string | undefined;
  /** All of the workspace. */
  names: readonly NamedApp[];
};

export function CompareMenu(props: CompareMenuProps) {
  return (
    <Menu
      label="another period, app, version or country"
      edge="end"
      framed
      button={
        <>
          <Icon name="compare" size={16} />
          Compare with
        </>
      }
    >
      {listComparisons(props).map(({ label, a, b }) => (
        <Link
          key={label}
          href={withQuery("/compare", { a: viewQuery(a), b: viewQuery(b) })}
          {...menuItem}
        >
          {label}
        </Link>
      ))}
    </Menu>
  );
}

const othersMax = 4;

/** The later of two periods is B, so that differences show the change. */
function listComparisons({ overview, app, names }: CompareMenuProps): Comparison[] {
  const { range, before, apps, regions, versions } = overview;
  const scope = { ...(app ? { app } : {}), ...range };
  const dayCount = daysBetween(range.from, range.to) + 1;
  const [newest, previous] = versions.filter((one) => one.appId === versions[0]?.appId);
  const [first, second] = regions;
  const [largest] = apps.toSorted((one, other) => other.reviews.total - one.reviews.total);
  const shown = names.find(({ id }) => id === largest?.appId);
  const [one, other] = storeIds.filter((id) => apps.some(({ store }) => store === id));
  return [
    {
      label: `Previous ${formatQuantity(dayCount, "day")}`,
      ...{ a: { ...scope, ...before }, b: scope },
    },
    ...(newest && previous
      ? [
          {
            label: `Version ${previous.version} and ${newest.version}`,
            a: { app: newest.appId, version: previous.version },
            b: { app: newest.appId, version: newest.version },
          },
        ]
      : []),
    ...(one && other
      ? [
          {
            label: `${storeName(one)} and ${storeName(other)}`,
            a: { ...scope, store: one },
            b: { ...scope, store: other },
          },
        ]
      : []),
    ...names
      .filter(({ id }) => shown !== undefined && id !== shown.id)
      .slice(0, othersMax)
      .map((other) => ({
        label: `${shown ? appLabel(shown) : ""} and ${appLabel(other)}`,
        a: { ...range, app: shown?.id },
        b: { ...range, app: other.id },
      })),
    ...(first && second
      ? [
          {
            label: `${originName(first.store, first.region)} and ${originName(second.store, second.region)}`,
            a: { ...scope, store: first.store, country: first.region },
            b: { ...scope, store: second.store, country: second.region },
          },
        ]
      : []),
  ];
}
