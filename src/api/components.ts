// The named parts of the OpenAPI document: each is there once, and is referred to by its name.
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { type JsonSchema, toJsonSchema } from "../operations/json-schema.ts";

type Kind = "schemas" | "headers" | "responses";
export type Reference = { $ref: string };

export type Components = Record<Kind, Record<string, object>> & {
  add(kind: Kind, name: string, part: object): Reference;
  /** A schema with an id as a reference, any other one as it is. */
  describe(schema: z.ZodType): JsonSchema;
};

export function createComponents(): Components {
  const parts: Record<Kind, Record<string, object>> = { schemas: {}, headers: {}, responses: {} };
  const add: Components["add"] = (kind, name, part) => {
    const known = parts[kind][name];
    if (known && !isDeepStrictEqual(known, part)) throw new Error(`two ${kind} are named ${name}`);
    parts[kind][name] = part;
    return { $ref: `#/components/${kind}/${name}` };
  };
  return {
    ...parts,
    add,
    describe(schema) {
      const text = JSON.stringify(toJsonSchema(schema));
      const referring = text.replaceAll('"#/$defs/', '"#/components/schemas/');
      const { $defs = {}, ...described }: { $defs?: Record<string, object> } =
        JSON.parse(referring);
      for (const [name, part] of Object.entries($defs)) add("schemas", name, part);
      return described;
    },
  };
}
