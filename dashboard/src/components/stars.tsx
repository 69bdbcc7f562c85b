// A rating as five stars, read out as one phrase.
import styles from "./chip.module.css";

const shape = "M8 1.6l1.95 4.1 4.5.55-3.3 3.1.87 4.45L8 11.6l-4.02 2.2.87-4.45-3.3-3.1 4.5-.55z";

export function Stars({ rating, size = 15 }: { rating: number; size?: number }) {
  return (
    <span className={styles.stars} role="img" aria-label={`${rating} of 5 stars`}>
      {[1, 2, 3, 4, 5].map((star) => (
        <svg key={star} aria-hidden="true" width={size} height={size} viewBox="0 0 16 16">
          <path className={star <= Math.round(rating) ? styles.on : styles.off} d={shape} />
        </svg>
      ))}
    </span>
  );
}
