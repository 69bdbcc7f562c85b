// A part of the report. On a phone it is folded, so that the report is a few screens long; on paper everything is there.
import { type ReactNode, useEffect, useState } from "react";
import { Card } from "../../components/card.tsx";
import { Icon } from "../../components/icon.tsx";
import styles from "./report.module.css";

type PartProps = {
  id: string;
  title: string;
  /** Beside the title. */
  note?: string;
  hint?: string;
  /** It has cards of its own. */
  isGroup?: boolean;
  children: ReactNode;
};

/** A link to the part opens it. */
export function openPart(id: string): void {
  const part = document.getElementById(id);
  if (part instanceof HTMLDetailsElement) part.open = true;
}

export function ReportPart(props: PartProps) {
  const { id, title, note, hint, isGroup = false, children } = props;
  const [isFolded] = useState(() => matchMedia("(max-width: 800px)").matches);
  useEffect(() => {
    const open = () => openPart(id);
    addEventListener("beforeprint", open);
    return () => removeEventListener("beforeprint", open);
  }, [id]);
  if (isFolded) {
    return (
      <details id={id} className={styles.part}>
        <summary>
          <div>
            <h2 id={`${id}-title`}>{title}</h2>
            {note ? <p>{note}</p> : null}
          </div>
          <Icon name="down" size={20} />
        </summary>
        <div className={styles.content}>
          {hint ? <p>{hint}</p> : null}
          {children}
        </div>
      </details>
    );
  }
  if (isGroup) {
    return (
      <section id={id} className={styles.release} aria-labelledby={`${id}-title`}>
        <h2 className={styles.title} id={`${id}-title`}>
          {title}
          {note ? <span>{note}</span> : null}
        </h2>
        {children}
      </section>
    );
  }
  return (
    <div id={id}>
      <Card title={title} hint={hint}>
        {children}
      </Card>
    </div>
  );
}
