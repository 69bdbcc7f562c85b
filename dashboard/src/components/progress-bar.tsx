// The progress of long work, as a labelled bar.
import { useId } from "react";
import styles from "./chip.module.css";

type ProgressBarProps = { label: string; done: number; total: number };

export function ProgressBar({ label, done, total }: ProgressBarProps) {
  const id = useId();
  const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0;
  return (
    <div>
      <span id={id}>{label}</span>
      <div
        className={styles.track}
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={styles.bar} style={{ width: `${percent}%` }} />
      </div>
    </div>
  );
}
