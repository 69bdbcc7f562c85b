// The average of all ratings on a day, without their number, as exports of the Play Console have it.

/** `region`: the storefront of an export by country; '' is the whole app. */
export type RatingAverage = { region: string; day: string; average: number };

/** null for text that is not an average from 1 to 5, such as that of a day without ratings. */
export function averageOf(text: string): number | null {
  return /^[1-5](\.\d{1,20})?$/.test(text) && Number(text) <= 5 ? Number(text) : null;
}
