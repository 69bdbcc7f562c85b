// Whole lists of reviews: page after page, or from one response that is continued where it broke off.
import { ConnectionError } from "./errors.ts";
import {
  type CallOptions,
  type ClientOptions,
  createSend,
  type Get,
  type Params,
} from "./transport.ts";
import type {
  ExportedReview,
  ExportReviewsQuery,
  ListReviewsQuery,
  Review,
  ReviewPage,
} from "./types.ts";

export type PageQuery = Omit<ListReviewsQuery, "updatedSince">;
/** `cursor` is that of the last row that is known. */
export type ExportQuery = Omit<ExportReviewsQuery, "format">;

export async function* eachReview(
  get: Get,
  query: Omit<PageQuery, "cursor">,
  call: CallOptions | undefined,
): AsyncGenerator<Review> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const params: Params = { limit: 100, ...query, cursor };
    const page: ReviewPage = await get<ReviewPage>("reviews", params, call);
    yield* page.reviews;
    cursor = page.nextCursor;
  }
}

export async function* exportReviews(
  options: ClientOptions,
  { cursor: first, ...query }: ExportQuery,
  call: CallOptions | undefined,
): AsyncGenerator<ExportedReview> {
  const send = createSend(options, async ({ body }) => body);
  let cursor = first;
  for (let failureCount = 0; ; ) {
    const { body } = await send("reviews/export", { ...query, cursor }, call);
    try {
      for await (const line of readLines(body, call?.signal)) {
        const review: ExportedReview = JSON.parse(line);
        yield review;
        cursor = review.cursor;
        failureCount = 0;
      }
      return;
    } catch (cause) {
      if (!(cause instanceof BrokenBody)) throw cause;
      failureCount += 1;
      if (failureCount > (options.retriesMax ?? 3)) {
        throw new ConnectionError("the export was broken off", { cause: cause.cause });
      }
    }
  }
}

class BrokenBody extends Error {}

/** The last one, if its end is missing, is not complete. */
async function* readLines(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const cancel = (): void => void reader?.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (let rest = ""; reader; ) {
      const part = await reader.read().catch((cause: unknown) => {
        throw new BrokenBody("", { cause });
      });
      signal?.throwIfAborted();
      if (part.done) return;
      const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    // Frees the service's stream when the caller stops early; a body that has ended does not mind.
    await reader?.cancel().catch(() => {});
  }
}
