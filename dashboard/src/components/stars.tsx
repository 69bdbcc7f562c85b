// A rating as five stars, read out as one phrase.
import styles from "./chip.module.css";

const shape = "l1.95 4.1 4.5.55-3.3 3.1.87 4.45-4.02-2.2-4.02 2.2.87-4.45-3.3-3.1 4.5-.55z";
const stepUnits = 17;

/** One picture, as a page of reviews has thirty. */
export function Stars({ rating, size = 15 }: { rating: number; size?: number }) {
  const count = Math.round(rating);
  return (
    <svg
      className={styles.stars}
      role="img"
      aria-label={`${rating} of 5 stars`}
      viewBox="0 0 84 16"
      width={(size * 84) / 16}
      height={size}
    >
      <path className={styles.on} d={drawStars(0, count)} />
      <path className={styles.off} d={drawStars(count, 5)} />
    </svg>
  );
}

function drawStars(from: number, to: number): string {
  let path = "";
  for (let star = from; star < to; star += 1) path += `M${8 + stepUnits * star} 1.6${shape}`;
  return path;
}
