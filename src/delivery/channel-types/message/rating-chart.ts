// The fall of a rating as a few lines of text that every service shows in a fixed width.
import type { RatingDropDocument } from "../../../domain/channel-event.ts";

const steps = "▁▂▃▄▅▆▇█";
const barWidth = 20;
const sparkMax = 30;

export function drawRatingDrop({ ratingDrop, days }: RatingDropDocument): string {
  const { currentAvg, baselineAvg } = ratingDrop;
  const bars = [drawBar("before", baselineAvg), drawBar("now", currentAvg)];
  const line = drawSparkline(days.map(({ average }) => average));
  return (line === null ? bars : [...bars, `days   ${line}`]).join("\n");
}

function drawBar(label: string, average: number): string {
  const filled = Math.round((Math.max(0, Math.min(5, average)) / 5) * barWidth);
  const bar = "█".repeat(filled) + "░".repeat(barWidth - filled);
  return `${label.padEnd(6)} ${bar} ${average.toFixed(2)}`;
}

/** From the lowest to the highest of the days; null for fewer than three. */
function drawSparkline(averages: readonly number[]): string | null {
  const shown = averages.slice(-sparkMax);
  if (shown.length < 3) return null;
  const low = Math.min(...shown);
  const span = Math.max(...shown) - low || 1;
  const top = steps.length - 1;
  return shown.map((average) => steps[Math.round(((average - low) / span) * top)]).join("");
}
