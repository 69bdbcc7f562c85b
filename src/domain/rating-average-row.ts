// One row of a Play Console export of ratings: the average of all time on a day, without a number of ratings.
import { z } from "zod";
import { dayOf } from "../lib/timestamp.ts";
import { moment, optionalCountry } from "./import-fields.ts";

/** `region`: the storefront of an export by country; '' is the whole app. */
export type RatingAverage = { region: string; day: string; average: number };

/** Enough to distinguish such an export from other files of ratings. */
export const ratingAverageColumns = ["date", "packagename", "totalaveragerating"];

export function ratingAverageRowSchema(options: { now: Date }) {
  const row = z.looseObject({
    date: moment(options, "2026-11-21"),
    region: optionalCountry(),
    average: z
      .string({ error: "has no rating yet" })
      .trim()
      .refine((text) => /^[1-5](\.\d{1,20})?$/.test(text) && Number(text) <= 5, {
        error: "must be a number from 1 to 5",
      })
      .transform(Number),
  });
  return row.transform(
    ({ date, region, average }): RatingAverage => ({
      ...{ region: region ?? "", day: dayOf(date), average },
    }),
  );
}
