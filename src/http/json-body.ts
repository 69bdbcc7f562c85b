// Reads the JSON body of a request, of bounded size.
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../domain/error.ts";

const bodyBytesMax = 256 * 1024;

const limitBody = bodyLimit({
  maxSize: bodyBytesMax,
  onError: () => {
    throw new AppError("too_large", `the body is larger than ${bodyBytesMax / 1024} kB`);
  },
});

/** @throws AppError `invalid_input` or `too_large` */
export async function readJsonBody(context: Context): Promise<unknown> {
  // A form of another site can't send this type, so it is more than a formality.
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? "")) {
    throw new AppError("invalid_input", "the body must be application/json");
  }
  let text = "";
  await limitBody(context, async () => {
    text = await context.req.text();
  });
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, and a body can hold a password.
    throw new AppError("invalid_input", "the body is no JSON");
  }
}
