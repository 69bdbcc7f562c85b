// Parses what comes with a request at the border: search parameters and a JSON body, by their zod schemas.
import type { Context } from "hono";
import type { z } from "zod";
import { AppError } from "../domain/error.ts";
import { failFields, parseInput } from "../domain/validation-errors.ts";
import { readJsonBody } from "../http/json-body.ts";
import { queryStringOf } from "../http/request.ts";
import { type DashboardRoute, smallBodyBytesMax } from "./dashboard-route.ts";

const queryLengthMax = 4_096;
/** For clients that are not signed in: an account with its password and a token fits. */
const anonymousBodyBytesMax = 4 * 1024;

/** @throws AppError `invalid_input` that names every field that is wrong, unknown or repeated */
export function parseQuery(schema: z.ZodType | undefined, context: Context): unknown {
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
  { access, body, bodyBytesMax }: DashboardRoute,
  context: Context,
): Promise<unknown> {
  const defaultMax = access === "anyone" ? anonymousBodyBytesMax : smallBodyBytesMax;
  return body
    ? parseInput(body, await readJsonBody(context, bodyBytesMax ?? defaultMax))
    : undefined;
}
