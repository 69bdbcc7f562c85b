// The layout of every page: Page has the heading and its tools, Card is one section.
import { createContext, type ReactNode, useContext, useEffect, useId } from "react";
import styles from "./card.module.css";

type PageProps = { title: string; lead?: ReactNode; tools?: ReactNode; children: ReactNode };

export function Page({ title, lead, tools, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Starpost`;
  }, [title]);
  return (
    <div className={styles.page}>
      <div className={styles.pageHead}>
        <div>
          <h1>{title}</h1>
          {lead ? <p>{lead}</p> : null}
        </div>
        {tools ? (
          <div className={styles.tools} data-print="hidden">
            {tools}
          </div>
        ) : null}
      </div>
      {children}
    </div>
  );
}

type CardProps = {
  title?: string;
  hint?: ReactNode;
  tools?: ReactNode;
  flush?: boolean;
  children: ReactNode;
};

/** The id of the heading above several cards, where others on the page have the same titles. */
export const CardGroup = createContext("");

export function Card({ title, hint, tools, flush = false, children }: CardProps) {
  const id = useId();
  const group = useContext(CardGroup);
  return (
    <section
      className={flush ? styles.card : `${styles.card} ${styles.padded}`}
      aria-labelledby={title ? `${group} ${id}`.trim() : undefined}
    >
      {title ? (
        <div className={styles.head}>
          <div>
            <h2 id={id}>{title}</h2>
            {hint ? <p className={styles.hint}>{hint}</p> : null}
          </div>
          {tools ? <div className={styles.tools}>{tools}</div> : null}
        </div>
      ) : null}
      {children}
    </section>
  );
}
