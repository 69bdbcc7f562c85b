// The states of a page that is empty, failed or loading.
import type { ReactNode } from "react";
import { describeError, RequestError } from "../api/http-request.ts";
import { Button } from "./button.tsx";
import styles from "./feedback.module.css";
import { Icon } from "./icon.tsx";
import { useServiceFailure } from "./service-strip.tsx";

type EmptyStateProps = { title: string; children: ReactNode; actions?: ReactNode };

/** `children` say what to do next. */
export function EmptyState({ title, children, actions }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p>{children}</p>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  );
}

/** Another try of something forbidden would fail, too. */
export function ErrorAlert({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const isFinal = error instanceof RequestError && error.status === 403;
  return (
    <Alert kind="bad" action={onRetry && !isFinal ? <RetryButton onRetry={onRetry} /> : null}>
      <span role="alert">{describeError(error)}</span>
    </Alert>
  );
}

type AlertProps = {
  kind?: "plain" | "bad" | "warn" | "good";
  action?: ReactNode;
  children: ReactNode;
};

export function Alert({ kind = "plain", action, children }: AlertProps) {
  const className = kind === "plain" ? styles.alert : `${styles.alert} ${styles[kind] ?? ""}`;
  return (
    <div className={className}>
      {kind === "bad" || kind === "warn" ? <Icon name="warning" /> : null}
      <div>{children}</div>
      {action}
    </div>
  );
}

/**
 * A placeholder as high as what is loading, so that nothing moves when it arrives. While the service can't be read it looks
 * empty, not busy: the strip above the page says why.
 */
export function Skeleton({ height, label }: { height: number | string; label?: string }) {
  const isMissing = useServiceFailure() !== null;
  if (isMissing) {
    return (
      <div className={styles.missing} style={{ height }}>
        {label ? "Not loaded yet" : null}
      </div>
    );
  }
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
