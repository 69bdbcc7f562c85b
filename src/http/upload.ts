// A file as the body of a request, which is read as it arrives and never held as a whole.
import type { Context } from "hono";
import { AppError } from "../domain/error.ts";
import { allowLongBody } from "./body-limits.ts";
import { headerOf, nodeRequestOf } from "./request.ts";

export type Upload = {
  chunks: AsyncIterable<Uint8Array>;
  /** Reads what is left: a client that is still sending would not see the answer. */
  drain(): Promise<void>;
};

/** A form of another site can't send these types. */
export const fileTypes = [
  ...["text/csv", "application/json", "application/jsonl", "application/x-ndjson"],
  "application/octet-stream",
];

/**
 * Nothing is read or refused before the first chunk is taken: whether there is something to send it to is decided first.
 *
 * @throws AppError `invalid_input` or `too_large`, while it is read
 */
export function openUpload(context: Context, bytesMax: number): Upload {
  const tooLarge = new AppError("too_large", `the file is larger than ${bytesMax / 1e6} MB`);
  const reader = context.req.raw.body?.getReader();
  let readCount = Number(headerOf(context, "content-length") ?? 0) > bytesMax ? Infinity : 0;
  const read = async (): Promise<Uint8Array | null> => {
    if (readCount > bytesMax) throw tooLarge;
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || !value) return null;
    readCount += value.byteLength;
    if (readCount > bytesMax) throw tooLarge;
    return value;
  };
  const request = nodeRequestOf(context);
  if (request) allowLongBody(request);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    assertFileType(headerOf(context, "content-type") ?? "");
    for (let chunk = await tryRead(read); chunk !== null; chunk = await tryRead(read)) yield chunk;
  }
  return {
    chunks: chunks(),
    async drain() {
      while (readCount <= bytesMax && (await tryRead(read)) !== null);
    },
  };
}

/** @throws AppError `invalid_input` */
function assertFileType(type: string): void {
  if (fileTypes.includes(type.split(";")[0]?.trim().toLowerCase() ?? "")) return;
  throw new AppError("invalid_input", `the body must be a file: ${fileTypes.join(", ")}`);
}

/** @throws AppError `invalid_input` when the connection was cut */
async function tryRead(read: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError("invalid_input", "the file broke off", { cause });
  }
}
