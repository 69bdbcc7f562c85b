// The parts of a page, each with a URL of its own: links in a row, so that back, reload and bookmarks work.
import { useEffect, useRef } from "react";
import { Link } from "./link.tsx";
import styles from "./tabs.module.css";

type TabsProps = {
  label: string;
  tabs: readonly { to: string; label: string; isCurrent: boolean; hint?: string | undefined }[];
};

/** `hint` stands behind the label, for a number or a warning. */
export function Tabs({ label, tabs }: TabsProps) {
  const nav = useRef<HTMLElement>(null);
  const current = tabs.findIndex(({ isCurrent }) => isCurrent);
  // On a phone some tabs are beside the window. Only the row moves, and not the page.
  useEffect(() => {
    const tab = nav.current?.children[current];
    if (tab instanceof HTMLElement) nav.current?.scrollTo({ left: tab.offsetLeft - 48 });
  }, [current]);
  return (
    <nav ref={nav} aria-label={label} className={styles.tabs}>
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
