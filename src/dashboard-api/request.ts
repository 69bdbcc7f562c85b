// What comes with a request, parsed at the border: search parameters and a JSON body within limits.
import type { Context } from "hono";
import type { z } from "zod";
import { AppError, type FieldError } from "../domain/error.ts";

const bodyBytesMax = 256 * 1024;
const queryLengthMax = 4_096;

/** @throws AppError `invalid_input` that names what is wrong, what is unknown and what came twice */
export function readQuery(schema: z.ZodType | null, context: Context): unknown {
  const mark = context.req.url.indexOf("?");
  const text = mark === -1 ? "" : (context.req.url.slice(mark + 1).split("#")[0] ?? "");
  if (text.length > queryLengthMax) {
    throw new AppError("invalid_input", `the address is longer than ${queryLengthMax} characters`);
  }
  if (!schema) return undefined;
  const given = new URLSearchParams(text);
  const twice = [...new Set(given.keys())].filter((name) => given.getAll(name).length > 1);
  refuse(twice.map((field) => ({ field, message: "is given more than once" })));
  return parse(schema, Object.fromEntries(given));
}

/** @throws AppError `invalid_input` or `too_large` */
export async function readBody(schema: z.ZodType | null, context: Context): Promise<unknown> {
  if (!schema) return undefined;
  // A form of another site can't say this, so it is more than a formality.
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? "")) {
    throw new AppError("invalid_input", "the body must be application/json");
  }
  return parse(schema, parseJson(await readText(context)));
}

async function readText(context: Context): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of context.req.raw.body ?? []) {
    size += chunk.length;
    if (size > bodyBytesMax) {
      throw new AppError("too_large", `the body is larger than ${bodyBytesMax / 1024} kB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Its words would quote the body, and a body can hold a password.
    throw new AppError("invalid_input", "the body is no JSON");
  }
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue): FieldError[] => {
    const field = issue.path.join(".");
    return issue.code === "unrecognized_keys"
      ? issue.keys.map((name) => ({ field: name.slice(0, 100), message: "is not known here" }))
      : [{ field, message: issue.message }];
  });
  return refuse(faults);
}

function refuse(faults: readonly FieldError[]): void {
  if (faults.length === 0) return;
  const message = faults.map(({ field, message }) => `${field}: ${message}`).join("; ");
  throw new AppError("invalid_input", message, { fields: faults });
}
