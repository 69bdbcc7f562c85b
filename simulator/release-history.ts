// The releases of a generated app: one every few weeks, and a bad one in the middle.
import { dayMs } from "../src/lib/timestamp.ts";
import type { Random } from "./random.ts";

export type Release = { version: string; at: Date; isBad: boolean };

/** Oldest first. The bad release comes out half way and is replaced after three weeks. */
export function planReleases(random: Random, span: { from: Date; to: Date }): Release[] {
  const half = (span.from.getTime() + span.to.getTime()) / 2;
  const releases: Release[] = [];
  let at = span.from.getTime();
  let [major, minor] = [3, 0];
  let bad: Release | null = null;
  while (at < span.to.getTime()) {
    const isBad: boolean = bad === null && at >= half;
    [major, minor] = isBad ? [major + 1, 0] : [major, minor + 1];
    const release: Release = { version: `${major}.${minor}.0`, at: new Date(at), isBad };
    releases.push(release);
    if (isBad) bad = release;
    at += (isBad ? 21 : random.whole(18, 34)) * dayMs;
  }
  return releases;
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
