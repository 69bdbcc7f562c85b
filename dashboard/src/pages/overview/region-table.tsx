// The storefronts and languages of the reviews, with how each rates and feels.
import type { RegionCounts } from "../../../../src/dashboard-api/contract/overview.ts";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Fold } from "../../components/fold.tsx";
import { Link } from "../../components/link.tsx";
import { Table } from "../../components/table.tsx";
import { originName } from "../../format/names.ts";
import { formatCount, formatPercent } from "../../format/numbers.ts";
import { isReadByLanguage } from "../../format/stores.ts";
import { reviewsPath } from "../reviews/filters.ts";
import styles from "./overview.module.css";
import type { Scope } from "./scope.ts";

const shownAtFirst = 5;

export function RegionsCard({ regions, scope }: { regions: RegionCounts[]; scope: Scope }) {
  return (
    <div className={styles.cell}>
      <Card title="Countries and languages">
        {regions.length === 0 ? <Alert>No reviews in this date range.</Alert> : null}
        {regions.length > 0 ? (
          <Fold rows={regions} shownAtFirst={shownAtFirst}>
            {(shown) => (
              <Table
                caption="Reviews by storefront and language"
                rows={shown}
                rowKey={({ store, region }) => `${store} ${region}`}
                columns={[
                  { header: "Where", cell: ({ store, region }) => originName(store, region) },
                  {
                    header: "Reviews",
                    cell: (row) => <Count row={row} scope={scope} />,
                    alignEnd: true,
                  },
                  {
                    header: "Negative",
                    cell: ({ sentiment, analyzed }) => formatPercent(sentiment.negative, analyzed),
                    alignEnd: true,
                  },
                ]}
              />
            )}
          </Fold>
        ) : null}
      </Card>
    </div>
  );
}

/** Lists by language are those that were asked for, which no filter of reviews knows. */
function Count({ row, scope }: { row: RegionCounts; scope: Scope }) {
  const { store, region, total } = row;
  if (isReadByLanguage(store) || region === "und") return formatCount(total);
  return <Link href={reviewsPath({ ...scope, store, country: region })}>{formatCount(total)}</Link>;
}
