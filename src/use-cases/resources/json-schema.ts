// JSON Schema of what programs enter and read, made from the schemas that the service checks it with.
import { z } from "zod";
import type { Resource } from "./resource.ts";

export type JsonSchema = Record<string, unknown>;

/** The input of a schema. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  const options = { io: "input", unrepresentable: "any" } as const;
  const { $schema: _, ...described } = z.toJSONSchema(schema, options);
  return described;
}

/** A thing as it is read: the fields that are entered, without the secret ones, and those that are added. */
export function viewSchema(resource: Resource): JsonSchema {
  const { newSchema, secretFields = [], shownFields } = resource;
  const { properties } = toJsonSchema(newSchema);
  const entered = Object.entries(properties ?? {}).filter(([name]) => !secretFields.includes(name));
  const shown = Object.entries(shownFields).map(([name, description]) => [
    name,
    { type: name.startsWith("failing") ? ["string", "null"] : "string", description },
  ]);
  return objectSchema(Object.fromEntries([...entered, ...shown]));
}

export function objectSchema(properties: JsonSchema): JsonSchema {
  return { type: "object", properties };
}
