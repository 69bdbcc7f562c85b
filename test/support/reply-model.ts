// Parts of the model check of answers to reviews: crashes, attempts whose outcome is unknown, and the filter's rule.
import { expect } from "vitest";
import { silentLog } from "../../src/lib/log.ts";
import { dayMs } from "../../src/lib/timestamp.ts";
import type { ReplyWorld } from "./reply-world.ts";

export type View = Awaited<ReturnType<ReplyWorld["readView"]>>;

export class Crash extends Error {}

/** A crashed process writes no log and does nothing afterwards. */
export const logOfProcess = {
  ...silentLog,
  error({ err }: Record<string, unknown>) {
    throw err;
  },
};

/** When requests left whose outcome is unknown, by workspace and review. */
export class UnknownAttempts {
  readonly #leftAt = new Map<string, Date>();

  add(key: string, now: Date): void {
    this.#leftAt.set(key, now);
  }

  /** The key, or all keys of a review. */
  settle(end: string): void {
    for (const key of this.#leftAt.keys()) if (key.endsWith(end)) this.#leftAt.delete(key);
  }

  /** During a day, a change of an answer whose outcome is unknown has to be refused. */
  assertNone(key: string, now: Date): void {
    const leftAt = this.#leftAt.get(key)?.getTime() ?? Number.NEGATIVE_INFINITY;
    expect(leftAt, `${key} was changed`).toBeLessThan(now.getTime() - dayMs);
  }
}

export function toFilterValue({ state, publicText, publicAt }: View, date: Date | null): string {
  if (state === "outdated") return "outdated";
  if (state === "published" || state === "waiting") return "answered";
  if (publicText === null) return "unanswered";
  const isLater = publicAt !== null && date !== null && new Date(publicAt) < date;
  return isLater ? "outdated" : "answered";
}
