// The bytes of recent answers, by workspace and question. An answer is good for one second at most, and
// shorter when its workspace's data change: news only ever end it early, so lost news do no harm.
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { secondMs } from "../lib/timestamp.ts";
import { type Kept, openAnswerShelf } from "./byte-lru.ts";
import { listenForNews } from "./cache-invalidation.ts";
import type { Answer } from "../http/stored-response.ts";

const freshMs = secondMs;

export type AnswerCacheBounds = {
  /** For answers that were asked for again. */
  bytesMax: number;
  /**
   * For answers that were asked for once. Few, so that who walks through all pages pushes out nothing
   * that others ask for, and pages nobody asks for again are gone while they cost little to forget.
   */
  onceBytesMax: number;
  /** A bigger answer is sent and not kept. */
  answerBytesMax: number;
};

const defaultBounds: AnswerCacheBounds = {
  bytesMax: 20 * 2 ** 20,
  onceBytesMax: 2 ** 20,
  answerBytesMax: 2 ** 19,
};

export type AnswerCache = {
  /**
   * The answer that is kept, or what `make` makes: once for all who ask meanwhile. It is handed what
   * was answered before, stale as it may be; if nothing changed it can return the same again.
   */
  find(
    asked: { workspaceId: string; question: string },
    make: (before: Answer | null) => Promise<Answer>,
  ): Promise<Answer>;
  close(): void;
};

export function openAnswerCache(open: {
  clock: Clock;
  database: Pick<Database, "listen" | "listFollowers">;
  bounds?: AnswerCacheBounds;
}): AnswerCache {
  const { clock, database, bounds = defaultBounds } = open;
  const once = openAnswerShelf(bounds.onceBytesMax);
  const again = openAnswerShelf(bounds.bytesMax);

  function endAll(isConcerned: (kept: Kept) => boolean): void {
    for (const shelf of [once, again]) {
      for (const kept of shelf.list()) if (isConcerned(kept)) kept.untilMs = 0;
    }
  }

  /** What is kept under a name moves to those that were asked for again. */
  function recall(name: string): Kept | undefined {
    const known = again.get(name);
    if (known) return known;
    const askedOnce = once.take(name);
    if (askedOnce) again.put(name, askedOnce);
    return askedOnce;
  }

  function settle(name: string, made: { kept: Kept; answer: Answer | null }): void {
    const shelf = once.get(name) === made.kept ? once : again;
    // News or the bounds may have ended it meanwhile, and another may be in its place.
    if (shelf.get(name) !== made.kept) return;
    made.kept.made = made.answer;
    if (made.answer && made.answer.byteCount <= bounds.answerBytesMax) {
      shelf.put(name, made.kept);
    } else shelf.forget(name);
  }

  const close = listenForNews(database, {
    isEmpty: () => once.isEmpty() && again.isEmpty(),
    endAll: () => endAll(() => true),
    endOf: (workspaceIds) => endAll(({ workspaceId }) => workspaceIds.has(workspaceId)),
  });

  return {
    find({ workspaceId, question }, make) {
      const name = `${workspaceId} ${question}`;
      const nowMs = clock.now().getTime();
      const known = recall(name);
      // A clock that was set back must not keep an answer for longer.
      const isFresh = known && nowMs < known.untilMs && nowMs >= known.fromMs;
      if (isFresh && known.answer) return known.answer;
      const answer = make(known?.made ?? null);
      const kept = { answer, made: null, workspaceId, fromMs: nowMs, untilMs: nowMs + freshMs };
      (known ? again : once).put(name, kept);
      answer.then(
        (made) => settle(name, { kept, answer: made }),
        () => settle(name, { kept, answer: null }),
      );
      return answer;
    },
    close,
  };
}
