// What a page says when there is nothing to show, when something went wrong, or while it loads.
import type { ReactNode } from "react";
import { describeError } from "../api/http-request.ts";
import { Button } from "./button.tsx";
import styles from "./feedback.module.css";
import { Icon } from "./icon.tsx";

type EmptyStateProps = { title: string; children: ReactNode; actions?: ReactNode };

/** Says what to do next; never just that there is nothing. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p>{children}</p>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}

export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return (
    <Note kind="bad" action={onRetry ? <RetryButton onRetry={onRetry} /> : null}>
      <span role="alert">{describeError(error)}</span>
    </Note>
  );
}

type NoteProps = {
  kind?: "plain" | "bad" | "warn" | "good";
  action?: ReactNode;
  children: ReactNode;
};

export function Note({ kind = "plain", action, children }: NoteProps) {
  const className = kind === "plain" ? styles.note : `${styles.note} ${styles[kind] ?? ""}`;
  return (
    <div className={className}>
      {kind === "bad" || kind === "warn" ? <Icon name="warning" /> : null}
      <div>{children}</div>
      {action}
    </div>
  );
}

/** Holds the place of what is loading, as high as that will be, so that nothing jumps. */
export function Skeleton({ height, label }: { height: number | string; label?: string }) {
  return (
    <div className={styles.skeleton} style={{ height }}>
      {label ? (
        <span className="visually-hidden" role="status">
          {label}
        </span>
      ) : null}
    </div>
  );
}

function RetryButton({ onRetry }: { onRetry: () => void }) {
  return (
    <Button small onClick={onRetry}>
      Try again
    </Button>
  );
}
