// JSON Schema of what programs enter and read, made from the schemas that the service checks it with.
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

/** The input of a schema. Schemas with an id are in `$defs`, and are referred to. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // Formats say it; zod's patterns of them have a thousand characters.
      if (jsonSchema.format === "date" || jsonSchema.format === "date-time") {
        if (jsonSchema.pattern?.startsWith("^(?:(?:\\d\\d[2468]")) delete jsonSchema.pattern;
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return described;
}
