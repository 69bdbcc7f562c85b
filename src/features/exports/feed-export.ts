// The query of an export of the dashboard's reviews.
import { z } from "zod";
import { reviewFilterSchema } from "../../domain/review/review-filter.ts";

export const feedExport = reviewFilterSchema.extend({ format: z.enum(["csv", "jsonl"]) });
