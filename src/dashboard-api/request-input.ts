// Parses what comes with a request at the border: search parameters and a JSON body, by their zod schemas.
import type { Context } from "hono";
import type { z } from "zod";
import { AppError } from "../domain/error.ts";
import { failFields, parseInput } from "../domain/validation-errors.ts";
import { readJsonBody } from "../http/json-body.ts";
import { queryStringOf } from "../http/request.ts";
import type { DashboardRoute } from "./dashboard-route.ts";

const queryLengthMax = 4_096;

/** @throws AppError `invalid_input` that names every field that is wrong, unknown or repeated */
export function parseQuery(schema: z.ZodType | null, context: Context): unknown {
  const text = queryStringOf(context);
  if (text.length > queryLengthMax) {
    throw new AppError("invalid_input", `the URL is longer than ${queryLengthMax} characters`);
  }
  if (!schema) return undefined;
  const parameters = new URLSearchParams(text);
  const repeated = [...new Set(parameters.keys())].filter(
    (name) => parameters.getAll(name).length > 1,
  );
  failFields(repeated.map((field) => ({ field, message: "is given more than once" })));
  return parseInput(schema, Object.fromEntries(parameters));
}

/** @throws AppError `invalid_input` or `too_large` */
export async function parseBody(
  { body, bodyBytesMax }: Pick<DashboardRoute, "body" | "bodyBytesMax">,
  context: Context,
): Promise<unknown> {
  return body ? parseInput(body, await readJsonBody(context, bodyBytesMax)) : undefined;
}
