// The decision about each kind of page, in each state of its source, with each testimony.
import { expect, test } from "vitest";
import { hourMs } from "../../lib/timestamp.ts";
import { nothingUnconfirmed, type SuspicionKind, suspicionKinds } from "./page-quarantine.ts";
import {
  decidePage,
  type Judgement,
  lastingKinds,
  nothingOdd,
  type OddFeeds,
  stateOf,
  type Testimony,
} from "./source-trust.ts";

const now = new Date("2026-11-20T10:00:00Z");
const states: Record<string, OddFeeds> = {
  trusted: nothingOdd,
  "another app is odd": { ...nothingOdd, otherAppCount: 1, reason: "dates moved" },
  "two other apps are odd": { ...nothingOdd, otherAppCount: 2, reason: "dates moved" },
  "another feed of the app is odd": { ...nothingOdd, ownCount: 1, reason: "dates moved" },
  "two other feeds of the app are odd": { ...nothingOdd, ownCount: 2, reason: "dates moved" },
  "a shape is tried": { ...nothingOdd, isShapeTried: true },
};

const suspicionOf = (kind: SuspicionKind) => ({
  kind,
  reason: kind,
  contents: { a: "1", b: "2" },
  unconfirmed: nothingUnconfirmed,
});
const right: Judgement = { kind: "right" };
const unjudged: Judgement = { kind: "unjudged", suspicion: suspicionOf("waiting") };
const odd = (kind: SuspicionKind, isMostlyKnown = true): Judgement => ({
  kind: "odd",
  suspicion: suspicionOf(kind),
  isMostlyKnown,
});

/** `again`: the same page was held back so many hours before. */
function decide(
  judgement: Judgement,
  found: { odd?: OddFeeds; testimony?: Testimony | null; again?: number } = {},
): string {
  const { odd: oddFeeds = nothingOdd, testimony = null, again } = found;
  const kind = judgement.kind === "right" ? "waiting" : judgement.suspicion.kind;
  const since = new Date(now.getTime() - (again ?? 0) * hourMs);
  return decidePage({
    judgement,
    source: "public",
    odd: oddFeeds,
    testimony,
    quarantined: again === undefined ? null : { ...suspicionOf(kind), source: "public", since },
    acceptedKind: null,
    isAcceptedByUser: false,
    now,
  }).kind;
}

test("a page that is right counts in every state", () => {
  for (const state of Object.values(states)) expect(decide(right, { odd: state })).toBe("accepted");
});

test.each<[string, Record<string, string>]>([
  ["trusted", { null: "ask", right: "accepted", odd: "held", none: "accepted" }],
  ["another app is odd", { null: "ask", right: "accepted", odd: "held", none: "held" }],
  ["two other apps are odd", { null: "held", right: "held", odd: "held", none: "held" }],
  ["another feed of the app is odd", { null: "held", right: "held", odd: "held", none: "held" }],
  [
    "two other feeds of the app are odd",
    { null: "held", right: "held", odd: "held", none: "held" },
  ],
  ["a shape is tried", { null: "held", right: "held", odd: "held", none: "held" }],
])("a page with too few known reviews while %s", (state, expected) => {
  for (const [name, decision] of Object.entries(expected)) {
    const testimony = name === "null" ? null : (name as Testimony);
    expect([name, decide(unjudged, { odd: states[state] ?? nothingOdd, testimony })]).toEqual([
      name,
      decision,
    ]);
  }
});

test.each(suspicionKinds.filter((kind) => kind !== "waiting"))(
  "a page that is odd as %s waits, and time confirms it only where an author or a cache can cause it",
  (kind) => {
    for (const state of Object.values(states)) {
      expect(decide(odd(kind), { odd: state })).toBe("held");
      expect(decide(odd(kind), { odd: state, again: 2 })).toBe("held");
      const isConfirmed = lastingKinds.includes(kind) && stateOf(state) === "trusted";
      const decision = decide(odd(kind), { odd: state, again: 3, testimony: "right" });
      expect(decision).toBe(isConfirmed ? "accepted" : "held");
    }
  },
);

test("where little else of a page is known, others must speak for a second reading", () => {
  const page = odd("changed_alone", false);
  expect(decide(page, { again: 3 })).toBe("ask");
  expect(decide(page, { again: 3, testimony: "right" })).toBe("accepted");
  expect(decide(page, { again: 3, testimony: "none" })).toBe("held");
  expect(decide(page, { again: 3, testimony: "odd" })).toBe("held");
});

test("a user and an operator decide about each kind", () => {
  for (const kind of suspicionKinds) {
    const shared = {
      judgement: kind === "waiting" ? unjudged : odd(kind),
      source: "public" as const,
      testimony: null,
      quarantined: null,
      acceptedKind: null,
      now,
    };
    const acceptedKinds = [kind];
    const byOperator = decidePage({
      ...shared,
      odd: { ...nothingOdd, otherAppCount: 4, acceptedKinds },
      isAcceptedByUser: false,
    });
    const byUser = decidePage({ ...shared, odd: nothingOdd, isAcceptedByUser: true });
    expect([byOperator.kind, byUser.kind]).toEqual(["accepted", "accepted"]);
  }
});
