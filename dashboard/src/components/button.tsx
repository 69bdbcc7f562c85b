// Buttons, and links that look like them. A busy button is announced as busy, keeps the focus and ignores
// further clicks.
import type { ButtonHTMLAttributes, ReactNode } from "react";
import styles from "./button.module.css";
import { Link, useIsShared } from "./link.tsx";

type Appearance = { kind?: "plain" | "primary" | "danger" | "quiet"; small?: boolean };

type ButtonProps = Appearance & ButtonHTMLAttributes<HTMLButtonElement> & { busy?: boolean };

export function Button({ kind, small, busy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ kind, small })}
      aria-busy={busy || undefined}
      // Not `disabled`, which would take the focus away from the button.
      aria-disabled={busy || undefined}
      onClick={busy ? preventDefault : onClick}
    >
      {busy ? <span className={styles.spinner} aria-hidden="true" /> : null}
      {children}
    </button>
  );
}

export function ButtonLink({
  to,
  kind,
  small,
  children,
}: Appearance & { to: string; children: ReactNode }) {
  if (useIsShared()) return null;
  return (
    <Link href={to} className={classOf({ kind, small })}>
      {children}
    </Link>
  );
}

/** A link to another site, in a window of its own. */
export function ExternalButton({
  href,
  kind,
  small,
  children,
}: Appearance & { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={classOf({ kind, small })}>
      {children}
    </a>
  );
}

function classOf({
  kind = "plain",
  small = false,
}: { [K in keyof Appearance]: Appearance[K] | undefined }) {
  const kindClass = kind === "plain" ? undefined : styles[kind];
  return [styles.button, kindClass, small ? styles.small : undefined].filter(Boolean).join(" ");
}

function preventDefault(event: { preventDefault: () => void }): void {
  event.preventDefault();
}
