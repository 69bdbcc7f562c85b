// The requests made with a key in the last days: a bar for each day, and their sum.
import type { ApiKey } from "../../../../src/dashboard-api/contract/keys.ts";
import { formatDay } from "../../format/dates.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import styles from "./keys.module.css";

export function KeyUsage({ days }: { days: ApiKey["requestDays"] }) {
  const sum = days.reduce((total, { count }) => total + count, 0);
  const highest = Math.max(1, ...days.map(({ count }) => count));
  return (
    <span className={styles.use}>
      <span className={styles.bars} aria-hidden="true">
        {days.map(({ day, count }) => (
          <span
            key={day}
            title={`${formatDay(day)}: ${formatCount(count)}`}
            style={{
              height: `${Math.max(6, (count / highest) * 100)}%`,
              opacity: count > 0 ? 1 : 0.3,
            }}
          />
        ))}
      </span>
      {formatCount(sum)} in {formatQuantity(days.length, "day")}
    </span>
  );
}
