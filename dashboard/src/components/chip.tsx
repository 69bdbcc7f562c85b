// A chip: a small rounded label, a link, or a filter that a click removes.
import type { ReactNode } from "react";
import styles from "./chip.module.css";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

export type ChipTone = "plain" | "good" | "bad" | "warn" | "accent";

type ChipProps = { tone?: ChipTone; to?: string | undefined; children: ReactNode };

export function Chip({ tone = "plain", to, children }: ChipProps) {
  const className = classOf(tone);
  if (to === undefined) return <span className={className}>{children}</span>;
  return (
    <Link href={to} className={className}>
      {children}
    </Link>
  );
}

type RemovableChipProps = {
  /** Read out before the label: what a click does. */
  action: string;
  children: ReactNode;
  onRemove: () => void;
};

export function RemovableChip({ action, children, onRemove }: RemovableChipProps) {
  return (
    <button type="button" className={classOf("accent")} onClick={onRemove}>
      <span className="visually-hidden">{action} </span>
      {children}
      <Icon name="close" size={14} />
    </button>
  );
}

function classOf(tone: ChipTone): string {
  return tone === "plain" ? (styles.chip ?? "") : `${styles.chip} ${styles[tone]}`;
}
