// Reads the body of a request, of bounded size.
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../domain/error.ts";
import { hasMore } from "../lib/json.ts";

/**
 * @param bytesMax a multiple of 1,024
 * @throws AppError `invalid_input` or `too_large`
 */
export async function readJsonBody(context: Context, bytesMax: number): Promise<unknown> {
  // A form of another site can't send this type, so it is more than a formality.
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? "")) {
    throw new AppError("invalid_input", "the body must be application/json");
  }
  const text = await readBodyText(context, bytesMax);
  try {
    return parseJsonBody(text);
  } catch (error) {
    if (context.req.raw.signal.aborted) throw new AppError("invalid_input", brokenOff);
    throw error;
  }
}

/** Values, lists and objects: checking each takes microseconds, and a large body can have half a million. */
const valuesMax = 10_000;

/** @throws AppError `invalid_input` */
export function parseJsonBody(text: string): unknown {
  // Commas of texts count as well: no request needs so many.
  if (hasMore(text, ",[{", valuesMax)) {
    throw new AppError("invalid_input", `the body has more than ${valuesMax} values`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, and a body can hold a password.
    throw new AppError("invalid_input", "the body is no JSON");
  }
}

/** Read late, such a body is short instead of an error. */
const brokenOff = "the body broke off";

/**
 * @param bytesMax a multiple of 1,024
 * @throws AppError `invalid_input` or `too_large`
 */
export async function readBodyText(context: Context, bytesMax: number): Promise<string> {
  let text = "";
  const limitBody = bodyLimit({
    maxSize: bytesMax,
    onError: () => {
      throw new AppError("too_large", `the body is larger than ${bytesMax / 1024} kB`);
    },
  });
  await limitBody(context, async () => {
    text = await readText(context);
  });
  return text;
}

async function readText(context: Context): Promise<string> {
  try {
    return await context.req.text();
  } catch (error) {
    if (error instanceof AppError || !context.req.raw.signal.aborted) throw error;
    // Nobody reads the answer; what matters is that a client that disconnects does not count as a failure of the
    // service.
    throw new AppError("invalid_input", brokenOff, { cause: error });
  }
}
