// Tar archives (POSIX ustar) of regular files: written entry by entry, read as a stream. Anything else than
// a regular file of a plain relative name is refused.

const blockBytes = 512;
/** A ustar header has 11 octal digits for it. */
const fileBytesMax = 8 ** 11 - 1;

/** An archive that can't be read; the message says why. */
export class TarError extends Error {}

type TarFile = { name: string; content: Buffer };

/** The header, the content and its padding. @throws Error when the name or the content is too long */
export function formatTarFile(file: TarFile, modifiedAt: Date): Buffer[] {
  const { name, content } = file;
  if (Buffer.byteLength(name) > 100 || content.length > fileBytesMax) {
    throw new Error(`${name} does not fit into a tar archive`);
  }
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${octal(content.length)}\0`, 124);
  header.write(`${octal(Math.floor(modifiedAt.getTime() / 1_000))}\0`, 136);
  header.write("0", 156);
  header.write("ustar\0" + "00", 257);
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, 148);
  return [header, content, Buffer.alloc(paddingOf(content.length))];
}

/** The end of an archive. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes);

/** A file of an archive; its content must be read before the next file is asked for. */
export type OpenTarFile = { name: string; size: number; chunks: AsyncGenerator<Buffer> };

/** @throws TarError for data that is not a tar archive, or ends too early */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<OpenTarFile> {
  const reader = createReader(source);
  for (;;) {
    const header = await reader.take(blockBytes);
    if (header.every((byte) => byte === 0)) return reader.drain();
    const { name, size } = parseHeader(header);
    yield { name, size, chunks: reader.stream(size) };
    await reader.skipRest();
    await reader.take(paddingOf(size));
  }
}

function parseHeader(header: Buffer): { name: string; size: number } {
  const checksum = Number.parseInt(textAt(header, 148, 8), 8);
  if (checksum !== checksumOf(header)) throw new TarError("it is no tar archive, or damaged");
  const name = textAt(header, 0, 100);
  const size = Number.parseInt(textAt(header, 124, 12), 8);
  const isPlain = /^[\w.-]+(\/[\w.-]+)*$/.test(name) && !name.includes("..");
  if (header[156] !== 0x30 || !isPlain || !Number.isSafeInteger(size)) {
    throw new TarError(`it holds something unexpected: ${JSON.stringify(name)}`);
  }
  return { name, size };
}

function createReader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let waiting: Buffer = Buffer.alloc(0);
  let openBytes = 0;
  async function next(bytesMax: number): Promise<Buffer> {
    while (waiting.length === 0) {
      const { value, done } = await iterator.next();
      if (done) throw new TarError("it ends too early");
      waiting = value;
    }
    const chunk = waiting.subarray(0, bytesMax);
    waiting = waiting.subarray(chunk.length);
    return chunk;
  }
  return {
    async take(byteCount: number): Promise<Buffer> {
      const chunks: Buffer[] = [];
      for (let rest = byteCount; rest > 0; rest -= chunks.at(-1)?.length ?? 0) {
        chunks.push(await next(rest));
      }
      return Buffer.concat(chunks);
    },
    async *stream(byteCount: number): AsyncGenerator<Buffer> {
      openBytes = byteCount;
      while (openBytes > 0) {
        const chunk = await next(openBytes);
        openBytes -= chunk.length;
        yield chunk;
      }
    },
    /** Reads past the last file, so that the source reaches its end and verifies it. */
    async drain(): Promise<void> {
      while (!(await iterator.next()).done);
    },
    /** The part of the file that the consumer did not read. */
    async skipRest(): Promise<void> {
      while (openBytes > 0) openBytes -= (await next(openBytes)).length;
    },
  };
}

function octal(value: number): string {
  return value.toString(8).padStart(11, "0");
}

function paddingOf(byteCount: number): number {
  return (blockBytes - (byteCount % blockBytes)) % blockBytes;
}

/** The checksum's own eight bytes count as blanks. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  return sum;
}

function textAt(header: Buffer, start: number, length: number): string {
  const text = header.toString("latin1", start, start + length);
  const end = text.indexOf("\0");
  return (end < 0 ? text : text.slice(0, end)).trim();
}
