// The aftermath of a bad release: how often its sentences are false over invented histories, and what they say.
import { describe, expect, test } from "vitest";
import {
  aftermathKinds,
  type SimulatedAftermath,
  simulateAftermath,
} from "../../../../bench/verdict/simulated-aftermaths.ts";
import { createRandom } from "../../../../simulator/random.ts";
import { judgeAftermath } from "./aftermath.ts";
import { markOf } from "./questions.ts";
import { describeAftermath } from "./verdict-words.ts";

describe("read after each review, a sentence is false in at most 5 % of the histories", () => {
  const count = 400;
  test.each(aftermathKinds)("%s", (kind) => {
    const random = createRandom(7);
    const seen = Array.from({ length: count }, () => simulateAftermath(random, kind));
    const share = (is: (one: SimulatedAftermath) => boolean): number =>
      seen.filter(is).length / count;
    expect(share((one) => one.false.fixed)).toBeLessThanOrEqual(0.05);
    expect(share((one) => one.false.not_fixed)).toBeLessThanOrEqual(0.05);
  });

  test("and most true fixes and false ones are recognised", () => {
    const lastOf = (kind: Parameters<typeof simulateAftermath>[1]): string[] => {
      const random = createRandom(8);
      return Array.from({ length: count }, () => simulateAftermath(random, kind).last);
    };
    const fixed = lastOf("true fix").filter((state) => state === "fixed");
    expect(fixed.length).toBeGreaterThan(0.6 * count);
    const open = lastOf("false fix").filter((state) => state === "not_fixed");
    expect(open.length).toBeGreaterThan(0.95 * count);
  });
});

type Group = { version: string; total: number } & Record<"crash" | "negative" | "battery", number>;

/** The first reviews of each group have each property. */
function judge(groups: readonly (Group & { isWorse?: boolean })[]) {
  const questions = ["crash", "negative"];
  const reviews = groups.flatMap(({ version, total, ...counts }) =>
    Array.from({ length: total }, (_, index) => ({
      version,
      marks: (["crash", "negative", "battery"] as const)
        .filter((question) => index < counts[question])
        .reduce((sum, question) => sum | markOf(question), 0),
      isPraise: false,
    })),
  );
  const of = (crash: number, negative: number, total: number) => ({
    total,
    countOf: (question: string) => (question === "crash" ? crash : negative),
  });
  const followers = groups.map(({ version, isWorse = false }) => ({ version, isWorse }));
  const [own, past] = [of(30, 40, 60), of(2, 20, 200)];
  const input = { version: "4.0.0", questions, followers, reviews, own, before: past };
  const aftermath = judgeAftermath(input);
  const before = { from: "2026-08-01", to: "2026-10-23", total: 200 };
  return { aftermath, words: describeAftermath(aftermath, { version: "4.0.0", before }) };
}

const quiet = { crash: 0, negative: 4, battery: 0 };

test("a fix stays one when a later release has another incident", () => {
  const next = { version: "4.1.0", total: 60, ...quiet };
  const bad = { version: "4.2.0", total: 40, crash: 0, negative: 30, battery: 30, isWorse: true };
  const { aftermath, words } = judge([next, bad]);
  expect(aftermath).toMatchObject({ state: "fixed", laterVersions: ["4.1.0"], total: 60 });
  expect(words).toBe(
    "Fixed in 4.1.0: 0 of 60 reviews complain about crashes (30 of 60 in 4.0.0), 4 of 60 are negative (40 of 60). Reviews of 4.2.0, which is worse itself, do not count.",
  );
});

test("crashes that ended beside other complaints are fixed in part, with the figures of both", () => {
  const next = { version: "4.1.0", total: 60, crash: 0, negative: 30, battery: 30, isWorse: true };
  const { aftermath, words } = judge([next]);
  expect(aftermath.state).toBe("too_early");
  expect(words).toBe(
    "Fixed in part in 4.1.0: 0 of 60 reviews complain about crashes (30 of 60 in 4.0.0), but 30 of 60 are negative (20 of 200 before 4.0.0). 4.1.0 is worse itself: see its own verdict.",
  );
});

test("a second release fixes what the first one did not", () => {
  const bad = { version: "4.0.1", total: 30, crash: 15, negative: 18, battery: 0 };
  const { aftermath } = judge([bad, { version: "4.0.2", total: 40, ...quiet }]);
  expect(aftermath).toMatchObject({ state: "fixed", version: "4.0.2", laterVersions: ["4.0.2"] });
  expect(judge([bad]).words).toBe(
    "Not fixed in 4.0.1: 15 of 30 reviews complain about crashes (2 of 200 before 4.0.0), 18 of 30 are negative (40 of 60 in 4.0.0).",
  );
});

test("small releases are judged together, and the last one is named", () => {
  const small = ["4.0.1", "4.0.2", "4.0.3", "4.0.4", "4.0.5"].map((version) => ({
    ...{ version, total: 5 },
    ...{ crash: 0, negative: 0, battery: 0 },
  }));
  expect(judge(small).words).toMatch(
    /^(Fixed by|Too early to tell for 4\.0\.1 to) 4\.0\.3: 0 of 15/,
  );
  expect(judge(small.slice(0, 1)).words).toMatch(/^Too early to tell for 4\.0\.1: 0 of 5/);
});
