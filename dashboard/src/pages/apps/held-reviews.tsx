// Reviews that were read and are not stored, because the store's pages look odd: why, since when, and some of them.

import type { HeldFeed, NamedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import layout from "../../components/layout.module.css";
import { Stars } from "../../components/stars.tsx";
import { Time } from "../../components/time.tsx";
import { regionName } from "../../format/names.ts";
import { formatQuantity } from "../../format/numbers.ts";
import { isReadByLanguage } from "../../format/stores.ts";
import styles from "./apps.module.css";
import { StoreIncidents } from "./store-incidents.tsx";

type HeldReviewsProps = { app: Pick<NamedApp, "store">; held: readonly HeldFeed[] };

/** All countries of an app may wait for the same. */
const feedsMax = 5;

export function HeldReviews({ app: { store }, held }: HeldReviewsProps) {
  if (held.length === 0) return null;
  const kind = isReadByLanguage(store) ? "language" : "storefront";
  const count = held.reduce((sum, { unconfirmed }) => sum + unconfirmed.count, 0);
  return (
    <Card
      title="Read, but not confirmed"
      hint={`${formatQuantity(count, "review")} of the last reading: not stored, not counted and not announced until the store's pages look right`}
    >
      <div className={layout.stack}>
        <StoreIncidents store={store} />
        {held.slice(0, feedsMax).map(({ region, since, reason, unconfirmed }) => (
          <section key={region}>
            <p>
              <strong>{regionName({ kind, region })}</strong>, since <Time at={since} />: {reason}
            </p>
            <ul className={styles.unconfirmed}>
              {unconfirmed.examples.map(({ rating, title, text, date }, index) => (
                // Nothing of them is sure, not even an id.
                // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
                <li key={index}>
                  <Chip tone="warn">Unconfirmed</Chip> <Stars rating={rating} />{" "}
                  {date ? <Time at={date} /> : null}
                  {title ? <strong dir="auto">{title}</strong> : null}
                  {text ? <p dir="auto">{text}</p> : null}
                </li>
              ))}
            </ul>
          </section>
        ))}
        {held.length > feedsMax ? (
          <p>{`${held.length - feedsMax} more wait likewise; the table of feeds has all of them.`}</p>
        ) : null}
      </div>
    </Card>
  );
}

/** For a list of reviews of one app. */
export function HeldReviewsOf({ id }: { id: string }) {
  const query = useApiQuery("GET /workspaces/:workspace/apps/:app", { path: { app: id } });
  return query.data ? <HeldReviews {...query.data} /> : null;
}
