// The store's facts about an app: the version that is out, its notes, price, genre and installs.
import type { StoreFacts } from "../../../../src/dashboard-api/contract/apps.ts";
import { Card } from "../../components/card.tsx";
import { Time } from "../../components/time.tsx";
import { formatCount } from "../../format/numbers.ts";
import styles from "./apps.module.css";

export function StoreFactsCard({ facts }: { facts: StoreFacts }) {
  const { version, releasedAt, price, genre, installs, releaseNotes } = facts;
  const rows = [
    ["Version", version],
    ["Released", releasedAt && <Time at={releasedAt} />],
    ["Price", price],
    ["Genre", genre],
    ["Installs", installs === null ? null : formatCount(installs)],
  ] as const;
  const known = rows.filter(([, value]) => value !== null);
  if (known.length === 0 && releaseNotes === null) return null;
  return (
    <Card title="In the store" hint="Read once a day, with the ratings">
      <dl className={styles.states}>
        {known.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {releaseNotes === null ? null : (
        <p className={styles.notes} dir="auto">
          {releaseNotes}
        </p>
      )}
    </Card>
  );
}
