// Reads the JSON of a service's answer. Only its beginning is kept, so a long one may be cut.
import type { z } from "zod";

/** null when it is no JSON of this form. */
export function parseAnswer<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}
