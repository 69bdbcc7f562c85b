// The result of an import in the write API.
import { z } from "zod";

const row = z.object({ line: z.int(), reason: z.string() }).meta({ id: "ImportRow" });
const perRow = z.object({ rows: z.int() });

const reading = z
  .object({
    rows: z.int(),
    fields: z
      .record(z.string(), z.array(z.string()))
      .describe("By field, the columns that it was read from."),
    app: z.array(z.string()).describe("Columns that name the app of a row."),
    notRead: z
      .array(z.object({ column: z.string(), values: z.int().nullable() }))
      .describe("Columns that were not read; `values` is null for more than 20."),
    assumed: perRow
      .extend({ zone: z.string() })
      .nullable()
      .describe("The zone of times without one."),
    emptied: z
      .array(perRow.extend({ cell: z.string() }))
      .describe("Words that were read as nothing."),
    madeIds: z.int().describe("Rows whose id was made of their content."),
    alike: z.int().describe("Those of them whose content another row has."),
    merged: z.int().describe("Rows with the id of another row."),
    questions: z
      .array(
        z.object({
          kind: z.enum(["app", "ids", "alike"]),
          column: z.string().nullable(),
          values: z.array(z.string()).optional(),
          sentence: z.string().describe("In words; `--only` is the parameter `only`, and so on."),
        }),
      )
      .describe("What only a person knows."),
  })
  .meta({ id: "ImportReading" });

export const importResultSchema = z
  .object({
    inserted: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    earlierVersions: z.int().optional().describe("Those kept as earlier versions."),
    starsOnly: z.int().optional().describe("Rejected rows that are stars without a review."),
    skipped: z.int().optional().describe("Rows that `only` left out."),
    queued: z.int().describe("Deliveries that were queued."),
    rejectedCount: z.int(),
    rejected: z.array(row).describe("The first 1,000 of them."),
    warningCount: z.int().optional(),
    warnings: z.array(row).optional().describe("Rows with values that were left out."),
    reading: reading.optional(),
    missing: z
      .object({ fields: z.array(z.string()), columns: z.array(z.string()) })
      .optional()
      .describe("Of a dry run: needed fields, and the columns of the file that may hold them."),
    stopped: z
      .object({ reason: z.string() })
      .optional()
      .describe("The import ended early or did not begin. What it counts was saved."),
  })
  .meta({ id: "ImportResult" });
