// A change of a number where more is better: with its sign, green when it grew, red when it fell.
import { formatChange } from "../../format/numbers.ts";
import styles from "./overview.module.css";

type ChangeProps = { by: number; decimals?: number; unit?: string };

export function Change({ by, decimals = 2, unit = "" }: ChangeProps) {
  const rounded = Number(by.toFixed(decimals));
  const tone = rounded === 0 ? undefined : rounded > 0 ? styles.good : styles.bad;
  return (
    <span className={tone}>
      {formatChange(by, decimals)}
      {unit}
    </span>
  );
}
