// A file as numbered lines of text, in constant memory: UTF-8, or UTF-16 by its byte order mark. Timers and
// sockets get their turn while it is read, even if the whole file is in memory.
import { createYield } from "./event-loop-yield.ts";

export type Line = {
  /** Counts from 1. */
  number: number;
  /** Without the line feed; a carriage return before it stays. null when the line is too long. */
  text: string | null;
};

// Also bounds what one row can cost in memory.
export const lineBytesMax = 1_000_000;
// A code unit takes at most this many bytes in UTF-8.
const bytesPerUnitMax = 3;

/** Bytes that are not text in the encoding of the file. */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
  /** Counts from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is not text in UTF-8`);
    this.line = line;
  }
}

/**
 * @param options.isStrict bytes that are not text are an error; otherwise they become U+FFFD
 * @param options.bytesMax of one line
 * @param options.isMac `detect`: where the first line ends with a carriage return alone, as on old Macs, all do
 * @throws EncodingError
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  options: { isStrict?: boolean; bytesMax?: number; isMac?: "detect" } = {},
): AsyncGenerator<Line> {
  const { isStrict = false, bytesMax = lineBytesMax } = options;
  let number = 0;
  let rest = "";
  let isTooLong = false;
  const yieldNow = createYield();
  const endLine = (end: string): Line => {
    const text = rest + end;
    const line = { number: ++number, text: isTooLong || exceeds(text, bytesMax) ? null : text };
    rest = "";
    isTooLong = false;
    return line;
  };
  let isMac: boolean | null = options.isMac ? null : false;
  let waiting = "";
  for await (const decoded of decode(chunks, isStrict)) {
    if (decoded === null) throw new EncodingError(number + 1);
    let piece: string = decoded;
    if (isMac === null) {
      // A return at the end of a piece waits for what follows it.
      piece = waiting + decoded;
      waiting = piece.endsWith("\r") ? "\r" : "";
      piece = piece.slice(0, piece.length - waiting.length);
      const [first] = /\r(?!\n)|\n/.exec(piece) ?? [];
      if (first) isMac = first === "\r";
      if (first) piece += waiting;
    }
    if (isMac) piece = piece.replaceAll("\r", "\n");
    let start = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", start)) {
      yield endLine(piece.slice(start, end));
      start = end + 1;
      await yieldNow();
    }
    rest += piece.slice(start);
    if (rest.length > bytesMax) {
      isTooLong = true;
      rest = "";
    }
  }
  if (isMac === null) rest += waiting;
  if (rest !== "" || isTooLong) yield endLine("");
}

function exceeds(text: string, bytesMax: number): boolean {
  if (text.length * bytesPerUnitMax <= bytesMax) return false;
  return Buffer.byteLength(text, "utf8") > bytesMax;
}

/** Text without its byte order mark; null for bytes that are not text. */
async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  isStrict: boolean,
): AsyncGenerator<string | null> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let head: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    if (decoder) {
      yield decodeOrNull(decoder, chunk);
      continue;
    }
    // The mark has two bytes, and a chunk may have one.
    head = Buffer.concat([head, chunk]);
    if (head.length < 2) continue;
    decoder = new TextDecoder(encodingOf(head), { fatal: isStrict });
    yield decodeOrNull(decoder, head);
  }
  if (decoder) yield decodeOrNull(decoder, null);
  // A file of one byte, or none.
  else yield decodeOrNull(new TextDecoder("utf-8", { fatal: isStrict }), head);
}

/** @param chunk null at the end */
function decodeOrNull(
  decoder: InstanceType<typeof TextDecoder>,
  chunk: Uint8Array | null,
): string | null {
  try {
    return chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    // Only a strict decoder throws, and only for bytes that are not text.
    return null;
  }
}

/** A whole text without its byte order mark, as editors and shells of Windows write it: UTF-16 too. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return "utf-8";
}
