// The first rows of a list, and a button that shows all of them.
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import styles from "./card.module.css";

type FoldProps<Row> = {
  rows: readonly Row[];
  shownAtFirst: number;
  children: (shown: readonly Row[]) => ReactNode;
};

export function Fold<Row>({ rows, shownAtFirst, children }: FoldProps<Row>) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <>
      {children(showsAll ? rows : rows.slice(0, shownAtFirst))}
      {rows.length > shownAtFirst ? (
        <div className={styles.more}>
          {showsAll ? null : (
            <p className="print-only">{`${shownAtFirst} of ${rows.length}; the dashboard has all`}</p>
          )}
          <Button small aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? "Show fewer" : `Show all ${rows.length}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}
