// One row of a Play Console export of ratings: the average of all time on a day, without a number of ratings.
import { z } from "zod";
import { dayOf } from "../lib/timestamp.ts";
import { moment, optionalCountry } from "./import-fields.ts";

/** `region`: the storefront of an export by country; '' is the whole app. */
export type RatingAverage = { region: string; day: string; average: number };

/** Enough to distinguish such an export from other files of ratings. */
export const ratingAverageColumns = ["date", "package name", "total average rating"];

/** @param options.packageName of the app that is imported into: rows of other apps are rejected */
export function ratingAverageRowSchema(options: { now: Date; packageName: string }) {
  const row = z.looseObject({
    date: moment(options, "2026-11-21"),
    "package name": z.literal(options.packageName, {
      error: `the row is of another app than ${options.packageName}`,
    }),
    country: optionalCountry(),
    "total average rating": z
      .string({ error: "has no rating yet" })
      .trim()
      .refine((text) => /^[1-5](\.\d{1,20})?$/.test(text) && Number(text) <= 5, {
        error: "must be a number from 1 to 5",
      })
      .transform(Number),
  });
  return row.transform(
    ({ date, country, "total average rating": average }): RatingAverage => ({
      ...{ region: country ?? "", day: dayOf(date), average },
    }),
  );
}
