// A response of any length in constant memory: a batch of rows is read when the client has taken the one before.

import type { Context } from "hono";
import { RateLimitedError } from "../domain/error.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { streamTexts } from "../http/text-stream.ts";
import { systemDelay } from "../lib/delay.ts";
import type { Log } from "../lib/log.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { RowStream } from "./endpoint.ts";

/** A stream counts as one more request for each of these. */
export const rowsPerRequest = 10_000;

const silenceMsMax = 10 * secondMs;

/** When to try again while another stream runs, whose end is unknown. */
const busyRetrySeconds = 10;

type StreamContext = { log: Log; limits: { keys: RateLimit }; streamingKeys: Set<string> };

/** @throws RateLimitedError while this process streams to the same key */
export function sendRows(
  api: StreamContext,
  sent: { context: Context; headers: Record<string, string>; keyId: string; body: RowStream },
): Response {
  const { context, keyId, body } = sent;
  if (api.streamingKeys.has(keyId)) {
    throw new RateLimitedError("Another export of this key is running.", busyRetrySeconds);
  }
  const headers = {
    ...sent.headers,
    "Content-Type": `${body.contentType}; charset=utf-8`,
    "Cache-Control": "no-store",
  };
  // Its body is never read, and so would never end.
  if (context.req.method === "HEAD") return new Response(null, { headers });
  api.streamingKeys.add(keyId);
  const left = new AbortController();
  const texts = countRows(api, { keyId, body, signal: left.signal });
  const stream = streamTexts(texts, (failure) => {
    left.abort();
    api.streamingKeys.delete(keyId);
    if (failure) api.log.warn({ err: failure }, "an export was broken off");
  });
  return new Response(stream, { headers });
}

/** The texts; waits where the key has no request left for the rows that follow. */
async function* countRows(
  { limits }: StreamContext,
  { keyId, body, signal }: { keyId: string; body: RowStream; signal: AbortSignal },
): AsyncGenerator<string> {
  let freeCount = rowsPerRequest;
  for await (const { text, rowCount } of body.batches) {
    while (freeCount < rowCount) {
      const { accepted, resetSeconds } = await limits.keys.take(keyId);
      if (accepted) freeCount += rowsPerRequest;
      else {
        await systemDelay(Math.min(resetSeconds * secondMs, silenceMsMax), signal);
        // An empty line, which readers of CSV and JSON Lines skip: proxies take silence for a dead connection.
        yield "\n";
      }
      if (signal.aborted) return;
    }
    freeCount -= rowCount;
    yield text;
  }
}
