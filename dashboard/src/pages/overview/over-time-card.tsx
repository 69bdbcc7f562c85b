// The reviews of the date range over time, one chart at a time: how many, how many stars, how they feel.
import { type ComponentProps, useState } from "react";
import styles from "./overview.module.css";
import {
  AverageRatingPerWeekCard,
  ReviewsPerWeekCard,
  SentimentPerWeekCard,
} from "./review-cards.tsx";

const charts = [
  { name: "Volume", ChartCard: ReviewsPerWeekCard },
  { name: "Rating", ChartCard: AverageRatingPerWeekCard },
  { name: "Sentiment", ChartCard: SentimentPerWeekCard },
] as const;

export function OverTimeCard(props: Omit<ComponentProps<typeof ReviewsPerWeekCard>, "tools">) {
  const [shown, setShown] = useState<(typeof charts)[number]>(charts[0]);
  const tools = (
    <fieldset className={styles.switch} aria-label="What the chart shows" data-print="hidden">
      {charts.map((chart) => (
        <button
          key={chart.name}
          type="button"
          aria-pressed={chart === shown}
          onClick={() => setShown(chart)}
        >
          {chart.name}
        </button>
      ))}
    </fieldset>
  );
  return <shown.ChartCard {...props} tools={tools} />;
}
