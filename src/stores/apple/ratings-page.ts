// Parses Apple's page of customer reviews for its histogram: a line with the total, and five counts,
// five stars first. They are accepted only where they add up.

import type { Histogram, RatingReading } from "../../domain/snapshot.ts";
import { listTextsOfClass } from "../html-scan.ts";
import { meanOf, sumOf } from "./product-page-ratings.ts";

const source = "customer reviews page";

/** null: the page has no ratings, or some that contradict each other. */
export function parseRatingsPage(html: string): RatingReading | null {
  const [count = ""] = listTextsOfClass(html, "rating-count");
  const total = wholeNumber(count);
  if (total === null) return null;
  const totals = listTextsOfClass(html, "total").map((text) => wholeNumber(text) ?? Number.NaN);
  const [five, four, three, two, one] = totals;
  const histogram = [one, two, three, four, five] as unknown as Histogram;
  if (totals.length !== 5 || !totals.every(Number.isSafeInteger)) return null;
  if (sumOf(histogram) !== total) return null;
  return { average: meanOf(histogram) ?? 0, total, histogram, source };
}

/** Thousands are separated by comma, point, apostrophe or any space; words may stand around. */
function wholeNumber(text: string): number | null {
  const digits = text
    .replace(/&nbsp;|&#160;|&#xa0;/gi, "\u00a0")
    .replace(/(?<=\d)[.,'’٬\s](?=\d{3}(?!\d))/gu, "")
    .match(/\d+/g);
  // Indian numbers group digits in twos, and two numbers in one text are not a count.
  const whole =
    digits?.length === 1 ? digits[0] : text.replace(/[.,\s]/g, "").match(/^\D*(\d+)\D*$/)?.[1];
  return whole === undefined || whole.length > 12 ? null : Number(whole);
}
