// A change of a number where more is better: with its sign, green when it grew, red when it fell, and grey where chance
// alone makes such a difference.
import { formatChange } from "../../format/numbers.ts";
import styles from "./overview.module.css";

type ChangeProps = { by: number; decimals?: number; unit?: string; isNoise?: boolean };

export function Change({ by, decimals = 2, unit = "", isNoise = false }: ChangeProps) {
  const rounded = Number(by.toFixed(decimals));
  const tone = rounded === 0 || isNoise ? undefined : rounded > 0 ? styles.good : styles.bad;
  return (
    <span className={tone} title={isNoise ? "Not more than chance explains" : undefined}>
      {formatChange(by, decimals)}
      {unit}
    </span>
  );
}
