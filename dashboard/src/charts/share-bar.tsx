// One bar divided into shares, with a legend that links to the reviews of each.
import { Link } from "../components/link.tsx";
import { formatCount, formatPercent } from "../format/numbers.ts";
import styles from "./charts.module.css";

export type Share = { key: string; label: string; value: number; colour: string; to: string };

export function ShareBar({ shares }: { shares: readonly Share[] }) {
  const total = shares.reduce((sum, share) => sum + share.value, 0);
  return (
    <div className={styles.shareBar}>
      <div className={styles.shares} aria-hidden="true">
        {shares
          .filter((share) => share.value > 0)
          .map(({ key, value, colour }) => (
            <span key={key} style={{ flexGrow: value, background: colour }} />
          ))}
      </div>
      <ul className={`${styles.rows} ${styles.shareRows}`}>
        {shares.map(({ key, label, value, colour, to }) => (
          <li key={key}>
            <Link href={to} className={`${styles.row} ${styles.shareRow}`}>
              <span className={styles.swatch} style={{ background: colour }} aria-hidden="true" />
              <span>{label}</span>
              <span className={styles.number}>{formatPercent(value, total)}</span>
              <span className={styles.number}>
                {formatCount(value)}
                <span className="visually-hidden"> reviews</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
