// The last seven days of a channel: one bar for each, divided into what arrived, waits and failed, and the share
// that arrived in words.
import type { DeliveryDay } from "../../../../src/dashboard-api/contract/channels.ts";
import { formatDay } from "../../format/dates.ts";
import { formatCount, formatPercent, formatQuantity } from "../../format/numbers.ts";
import styles from "./channel-days.module.css";

export function ChannelDays({ days }: { days: readonly DeliveryDay[] }) {
  const sums = days.map(toSums);
  const sum = (of: (one: Sums) => number) => sums.reduce((total, one) => total + of(one), 0);
  const delivered = sum((one) => one.delivered);
  const failed = sum((one) => one.failed);
  const waiting = sum((one) => one.waiting);
  const settled = delivered + failed;
  const parts = [
    ...(settled > 0 ? [`${formatCount(delivered)} delivered`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(waiting > 0 ? [`${formatCount(waiting)} waiting`] : []),
  ];
  return (
    <section className={styles.days} aria-label="Last 7 days">
      <p>
        {settled === 0 ? null : <strong>{formatPercent(delivered, settled)}</strong>}
        <span>
          {delivered + failed + waiting === 0
            ? "Nothing was sent in the last 7 days"
            : `${settled === 0 ? "Last" : "arrived in the last"} 7 days: ${parts.join(", ")}`}
        </span>
      </p>
      <ol className={styles.bars}>
        {sums.map((one) => (
          <li key={one.day} title={describe(one)}>
            <span className="visually-hidden">{describe(one)}</span>
            {one.delivered + one.failed + one.waiting === 0 ? (
              <span className={styles.none} />
            ) : (
              <>
                <Part kind="failed" count={one.failed} />
                <Part kind="waiting" count={one.waiting} />
                <Part kind="delivered" count={one.delivered} />
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

type Sums = { day: string; delivered: number; failed: number; waiting: number };

function toSums({ day, total, pending, expired, cancelled }: DeliveryDay): Sums {
  const delivered = Math.max(0, total - pending - expired - cancelled);
  return { day, delivered, failed: expired, waiting: pending };
}

function Part({ kind, count }: { kind: "failed" | "waiting" | "delivered"; count: number }) {
  return count > 0 ? <span className={styles[kind]} style={{ flexGrow: count }} /> : null;
}

function describe({ day, delivered, failed, waiting }: Sums): string {
  if (delivered + failed + waiting === 0) return `${formatDay(day)}: nothing was sent`;
  return `${formatDay(day)}: ${formatQuantity(delivered, "delivery", "deliveries")} arrived, ${formatCount(failed)} failed, ${formatCount(waiting)} waiting`;
}
