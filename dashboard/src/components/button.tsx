// Buttons, and links that look like them. A busy button says so, stays focused and takes no second click.
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";
import styles from "./button.module.css";

type Look = { kind?: "plain" | "primary" | "danger" | "quiet"; small?: boolean };

type ButtonProps = Look & ButtonHTMLAttributes<HTMLButtonElement> & { busy?: boolean };

export function Button({ kind, small, busy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classOf({ kind, small })}
      aria-busy={busy || undefined}
      // Not `disabled`, which would drop the focus of whoever pressed it.
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
}: Look & { to: string; children: ReactNode }) {
  return (
    <Link href={to} className={classOf({ kind, small })}>
      {children}
    </Link>
  );
}

type DownloadProps = Look & { href: string; children: ReactNode };

/** Leaves the router alone: the browser itself saves what the address answers. */
export function DownloadLink({ href, kind, small, children }: DownloadProps) {
  return (
    <a href={href} download className={classOf({ kind, small })}>
      {children}
    </a>
  );
}

function classOf({ kind = "plain", small = false }: { [K in keyof Look]: Look[K] | undefined }) {
  const look = kind === "plain" ? undefined : styles[kind];
  return [styles.button, look, small ? styles.small : undefined].filter(Boolean).join(" ");
}

function preventDefault(event: { preventDefault: () => void }): void {
  event.preventDefault();
}
