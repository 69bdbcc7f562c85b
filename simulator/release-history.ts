// The releases of a generated app: one every few weeks, a bad one in the middle, and at the end, where a plan
// asks for it, one that drains the battery and its fix.
import { dayMs } from "../src/lib/timestamp.ts";
import type { Random } from "./random.ts";

export type Release = { version: string; at: Date; isBad: boolean; isDraining: boolean };

/** When a release starts to drain the battery, when the next one fixes it, and what reviewers write about it when. */
export type BatteryStory = { drainAt: Date; fixAt: Date; mentions: Mention[] };

/** `index`: in the phrases of its kind, which are the same in every language. */
export type Mention = { kind: "drained" | "fixed"; store: string; index: number; at: Date };

type ReleasePlan = { from: Date; to: Date; story?: BatteryStory };

/** Oldest first. The bad release comes out half way and is replaced after three weeks. */
export function planReleases(random: Random, { from, to, story }: ReleasePlan): Release[] {
  const half = (from.getTime() + to.getTime()) / 2;
  const regularTo = story ? story.drainAt.getTime() - 8 * dayMs : to.getTime();
  const releases: Release[] = [];
  let at = from.getTime();
  let [major, minor] = [3, 0];
  let bad: Release | null = null;
  while (at < regularTo) {
    const isBad: boolean = bad === null && at >= half;
    [major, minor] = isBad ? [major + 1, 0] : [major, minor + 1];
    const version = `${major}.${minor}.0`;
    const release: Release = { version, at: new Date(at), isBad, isDraining: false };
    releases.push(release);
    if (isBad) bad = release;
    at += (isBad ? 21 : random.whole(18, 34)) * dayMs;
  }
  if (!story) return releases;
  const next = `${major}.${minor + 1}`;
  return [
    ...releases,
    { version: `${next}.0`, at: story.drainAt, isBad: false, isDraining: true },
    { version: `${next}.1`, at: story.fixAt, isBad: false, isDraining: false },
  ];
}

/** The release that a reviewer uses on a day: mostly the newest, sometimes the one before. */
export function releaseInUse(
  random: Random,
  { releases, at }: { releases: readonly Release[]; at: Date },
): Release {
  const released = releases.filter((release) => release.at <= at);
  const used =
    (random.chance(0.8) ? released.at(-1) : released.at(-2)) ?? released.at(-1) ?? releases[0];
  if (!used) throw new RangeError("an app without releases");
  return used;
}
