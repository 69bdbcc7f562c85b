// The query of an export of the dashboard's reviews.
import { z } from "zod";
import { feedFilters } from "../../dashboard-api/contract/requests.ts";

export const feedExport = feedFilters.extend({ format: z.enum(["csv", "jsonl"]) });
