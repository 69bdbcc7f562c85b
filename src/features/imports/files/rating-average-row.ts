// One row of a Play Console export of ratings: the average of all time on a day, without a number of ratings.
import { z } from "zod";
import { averageOf, type RatingAverage } from "../../../domain/review/rating-average.ts";
import { dayOf } from "../../../lib/timestamp.ts";
import { moment, optionalCountry } from "./import-fields.ts";

/** Enough to distinguish such an export from other files of ratings. */
export const ratingAverageColumns = ["date", "packagename", "totalaveragerating"];

export function ratingAverageRowSchema(options: { now: Date }) {
  const row = z.looseObject({
    date: moment(options, "2026-11-21"),
    region: optionalCountry(),
    average: z
      .string({ error: "has no rating yet" })
      .trim()
      .refine((text) => averageOf(text) !== null, { error: "must be a number from 1 to 5" })
      .transform(Number),
  });
  return row.transform(
    ({ date, region, average }): RatingAverage => ({
      ...{ region: region ?? "", day: dayOf(date), average },
    }),
  );
}
