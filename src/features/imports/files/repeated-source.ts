// A source that is read twice: once to see how the file is read, once to import it. Bytes that can't be read again, those of a
// pipe or an upload, are kept meanwhile, large ones in a temporary file.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ImportSource } from "./import-file.ts";

const memoryBytesMax = 4_000_000;

/** `work` may read `chunks` to the end, and then once more. */
export async function withRepeatedSource<Result>(
  source: ImportSource,
  work: (source: ImportSource) => Promise<Result>,
): Promise<Result> {
  if (source.isRepeatable) return work(source);
  const kept = new KeptChunks(source.chunks);
  try {
    return await work({ ...source, chunks: kept, isRepeatable: true });
  } finally {
    await kept.close();
  }
}

class KeptChunks implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterable<Uint8Array>;
  readonly #file = path.join(os.tmpdir(), `starpost-import-${randomUUID()}`);
  #memory: Uint8Array[] = [];
  #byteCount = 0;
  #hasFile = false;
  #isKept = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    if (!this.#isKept) yield* this.#readFirst();
    else yield* this.#hasFile ? fs.createReadStream(this.#file) : this.#memory;
  }

  async *#readFirst(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#chunks) {
      this.#byteCount += chunk.byteLength;
      this.#memory.push(chunk);
      if (this.#byteCount > memoryBytesMax) await this.#write();
      yield chunk;
    }
    if (this.#hasFile) await this.#write();
    this.#isKept = true;
  }

  async #write(): Promise<void> {
    this.#hasFile = true;
    // Others of the machine may not read it.
    await fs.promises.appendFile(this.#file, Buffer.concat(this.#memory), { mode: 0o600 });
    this.#memory = [];
    this.#byteCount = 0;
  }

  async close(): Promise<void> {
    if (this.#hasFile) await fs.promises.rm(this.#file, { force: true });
  }
}
