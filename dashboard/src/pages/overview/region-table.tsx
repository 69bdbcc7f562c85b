// The storefronts and languages of the reviews, with how each rates and feels.
import { useState } from "react";
import type { RegionCounts } from "../../../../src/dashboard-api/contract/overview.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Link } from "../../components/link.tsx";
import { Table } from "../../components/table.tsx";
import { originName } from "../../format/names.ts";
import { formatCount, formatPercent } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";
import styles from "./overview.module.css";
import type { Scope } from "./overview-cards.tsx";

const shownAtFirst = 5;

export function RegionsCard({ regions, scope }: { regions: RegionCounts[]; scope: Scope }) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <div className={styles.cell}>
      <Card title="Countries and languages">
        {regions.length === 0 ? <Alert>No reviews in this date range.</Alert> : null}
        {regions.length > 0 ? (
          <Table
            caption="Reviews by storefront and language"
            rows={showsAll ? regions : regions.slice(0, shownAtFirst)}
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
        ) : null}
        {regions.length > shownAtFirst ? (
          <Button small aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? "Show fewer" : `Show all ${regions.length}`}
          </Button>
        ) : null}
      </Card>
    </div>
  );
}

/** Google Play's lists are by the language that was asked for, which no filter of reviews knows. */
function Count({ row, scope }: { row: RegionCounts; scope: Scope }) {
  const { store, region, total } = row;
  if (store !== "appstore" || region === "und") return formatCount(total);
  return <Link href={reviewsPath({ ...scope, store, country: region })}>{formatCount(total)}</Link>;
}
