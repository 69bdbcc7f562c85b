// The parts of a page, each with a URL of its own: links in a row, so that back, reload and bookmarks work.
import { Link } from "wouter";
import styles from "./tabs.module.css";

type TabsProps = {
  label: string;
  tabs: readonly { to: string; label: string; isCurrent: boolean; hint?: string | undefined }[];
};

/** `hint` stands behind the label, for a number or a warning. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ to, label: name, isCurrent, hint }) => (
        <Link
          key={to}
          href={to}
          className={styles.tab}
          aria-current={isCurrent ? "page" : undefined}
        >
          {name}
          {hint === undefined ? null : <span className={styles.hint}>{hint}</span>}
        </Link>
      ))}
    </nav>
  );
}
