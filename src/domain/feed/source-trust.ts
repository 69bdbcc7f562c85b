// Decides about a page of reviews: by its own contents, by the state of its source, and by other pages of the source that were
// read after it. The one decision for pages of crawls of any size, and of fallbacks. Pure. ADR 98
import { hourMs } from "../../lib/timestamp.ts";
import type { StoreId } from "../store/store-id.ts";
import {
  isSamePage,
  type PageSuspicion,
  type QuarantinedPage,
  type SourceKind,
  type SuspicionKind,
} from "./page-quarantine.ts";

/** Public pages, an API or exports. `workspaceId`: of the private listings of one workspace; null for shared listings. */
export type SourceKey = { store: StoreId; source: SourceKind; workspaceId: string | null };

/** Other feeds of a source that looked odd within the last day. */
export type OddFeeds = {
  /** Other feeds of the same app. */
  ownCount: number;
  otherAppCount: number;
  /** That of the first one that is still held back; null without one. */
  reason: string | null;
  /** The store's layout has changed for sure, and the new place of its fields is not in use yet. */
  isShapeTried: boolean;
  /** Kinds of pages that an operator takes for right. */
  acceptedKinds: readonly SuspicionKind[];
};

export const nothingOdd: OddFeeds = {
  ownCount: 0,
  otherAppCount: 0,
  reason: null,
  isShapeTried: false,
  acceptedKinds: [],
};

/** `trusted`: nothing looks odd. `on_trial`: one app does. `known_changed`: several do, or a shape is tried. */
export type SourceState = "trusted" | "on_trial" | "known_changed";

/** A page by itself. `unjudged`: too few of its reviews are known. */
export type Judgement =
  | { kind: "right" }
  | { kind: "unjudged"; suspicion: PageSuspicion }
  | { kind: "odd"; suspicion: PageSuspicion; isMostlyKnown: boolean };

/** Full pages of the source that were read after the page: all right, one odd, or there is none to read. */
export type Testimony = "right" | "odd" | "none";

type PageDecision =
  | { kind: "accepted"; acceptedKind: SuspicionKind | null }
  /** `error`: the reason of the page, and what it waits for. */
  | { kind: "held"; page: QuarantinedPage; error: string }
  /** Read full pages of the source, and decide again. */
  | { kind: "ask" };

export function stateOf({ ownCount, otherAppCount, isShapeTried }: OddFeeds): SourceState {
  if (isShapeTried || otherAppCount > 1 || ownCount > 1) return "known_changed";
  if (otherAppCount > 0 && ownCount > 0) return "known_changed";
  return otherAppCount + ownCount > 0 ? "on_trial" : "trusted";
}

/** Time confirms these alone: an author or a cache of the store can cause them. */
export const lastingKinds: readonly SuspicionKind[] = [
  "changed_alone",
  "renamed_alone",
  "votes_jumped",
  "edited_at_once",
  "empty",
];
// Layouts that broke and caches that mixed something up are usually mended within hours.
const secondReadingMs = 3 * hourMs;

export function decidePage(input: {
  judgement: Judgement;
  /** Two shapes that are in use read it in different ways, and both fit. */
  isAmbiguous?: boolean;
  source: SourceKind;
  odd: OddFeeds;
  /** null: not asked yet. */
  testimony: Testimony | null;
  /** The page that was held back before this one. */
  quarantined: QuarantinedPage | null;
  /** A kind of oddity that an earlier page of this crawl was accepted with. */
  acceptedKind: SuspicionKind | null;
  isAcceptedByUser: boolean;
  now: Date;
}): PageDecision {
  const { judgement, odd } = input;
  if (judgement.kind === "right") return accepted(null);
  const { kind } = judgement.suspicion;
  const isVouchedFor =
    input.isAcceptedByUser || input.acceptedKind === kind || odd.acceptedKinds.includes(kind);
  if (isVouchedFor) return accepted(judgement.kind === "odd" ? kind : null);
  return judgement.kind === "odd"
    ? decideOdd({ ...input, judgement })
    : decideUnjudged({ ...input, judgement });
}

type Deciding<Kind extends Judgement["kind"]> = Omit<
  Parameters<typeof decidePage>[0],
  "judgement"
> & { judgement: Extract<Judgement, { kind: Kind }> };

const accepted = (acceptedKind: SuspicionKind | null): PageDecision => ({
  kind: "accepted",
  acceptedKind,
});

/** It waits while its source is not trusted. One odd app makes others wait only where no further app testifies. */
function decideUnjudged(input: Deciding<"unjudged">): PageDecision {
  const { odd, testimony } = input;
  const hold = (why: string): PageDecision => held(input, `: ${why}`);
  if (input.isAmbiguous) return hold("the store shows two layouts just now, and both fit");
  if (stateOf(odd) === "known_changed" || odd.ownCount > 0) return hold(describeOdd(odd));
  if (testimony === null) return { kind: "ask" };
  if (testimony === "odd")
    return hold("a full page of the store looks odd just now, or this one differs at each reading");
  if (testimony === "none" && odd.otherAppCount > 0) return hold(describeOdd(odd));
  return accepted(null);
}

/** A second reading hours later confirms one that is alone, and that the rest of its page or other pages speak for. */
function decideOdd(input: Deciding<"odd">): PageDecision {
  const { judgement, odd, testimony, quarantined, now } = input;
  const { suspicion, isMostlyKnown } = judgement;
  const isSame = quarantined !== null && isSamePage(quarantined, suspicion);
  // A clock that was wrong must not make the wait endless.
  const since = isSame && quarantined.since < now ? quarantined.since : now;
  const isDue = now.getTime() - since.getTime() >= secondReadingMs;
  const isLasting = lastingKinds.includes(suspicion.kind);
  const state = stateOf(odd);
  if (isLasting && isDue && state === "trusted") {
    if (isMostlyKnown || testimony === "right") return accepted(suspicion.kind);
    if (testimony === null) return { kind: "ask" };
  }
  return held(input, state === "trusted" ? "" : `; ${describeOdd(odd)}`);
}

function held(input: Deciding<"odd" | "unjudged">, words: string): PageDecision {
  const { quarantined, source, now } = input;
  const { suspicion } = input.judgement;
  const isSame = quarantined !== null && isSamePage(quarantined, suspicion);
  const since = isSame && quarantined.since < now ? quarantined.since : now;
  const error = `${suspicion.reason}${words}`;
  return { kind: "held", page: { ...suspicion, source, since }, error };
}

function describeOdd({ isShapeTried, reason }: OddFeeds): string {
  if (isShapeTried)
    return "the store's layout has changed, and where its fields are now is being tried: held back meanwhile (starpost shape list)";
  const words = reason === null ? "looked odd within the last day" : `look odd (${reason})`;
  return `other pages of the store ${words}, so its layout may have changed: held back until they pass (starpost incident list)`;
}
