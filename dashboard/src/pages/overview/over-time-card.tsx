// The reviews of the date range over time, one chart at a time: how many, how many stars, how they feel.
import { type ComponentProps, useState } from "react";
import { Segments } from "../../components/segments.tsx";
import {
  AverageRatingPerWeekCard,
  ReviewsPerWeekCard,
  SentimentPerWeekCard,
} from "./review-cards.tsx";

const charts = {
  Volume: ReviewsPerWeekCard,
  Rating: AverageRatingPerWeekCard,
  Sentiment: SentimentPerWeekCard,
};
type ChartName = keyof typeof charts;
const names = Object.keys(charts) as ChartName[];

export function OverTimeCard(props: Omit<ComponentProps<typeof ReviewsPerWeekCard>, "tools">) {
  const [shown, setShown] = useState<ChartName>("Volume");
  const ChartCard = charts[shown];
  const tools = (
    <Segments label="What the chart shows" names={names} chosen={shown} onChoose={setShown} />
  );
  return <ChartCard {...props} tools={tools} />;
}
