// Parameters of an operation in the OpenAPI document, made from the schema that requests pass.
import type { z } from "zod";
import type { Components } from "./components.ts";
import type { Parameter, Schema } from "./description.ts";

/** @param how `path` names those of the parameters that are parts of it in braces; `location` has the others */
export function describeParameters(
  parameters: z.ZodObject,
  how: { components: Components; location: "query" | "header"; path?: string },
): Parameter[] {
  const { components, location, path = "" } = how;
  const { properties = {}, required = [] }: Schema = components.describe(parameters);
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const isInPath = path.includes(`{${name}}`);
    return {
      name,
      in: isInPath ? "path" : location,
      required: isInPath || required.includes(name),
      ...(description !== undefined && { description }),
      // A list may be repeated as well, which is how many clients write it.
      ...(schema.type === "array" && { style: "form", explode: false }),
      schema,
    };
  });
}
