// How often a harmless release is called worse, and how soon a worse one is, by simulation, beside a test that looks once
// with the same error rate, and beside one that is repeated after every review. Ends with 1 when more than 5 % of the
// harmless releases are called worse.
import fs from "node:fs";
import process from "node:process";
import { createRandom } from "../../simulator/random.ts";
import { falseAlarmRate } from "../../src/domain/changes/verdict.ts";
import { verdictQuestions as questions } from "../../src/features/verdict/judge/questions.ts";
import { testRelease } from "../../src/features/verdict/judge/test-release.ts";
import { readOptions } from "../options.ts";
import { clopperPearson, criticalZ, openZTests } from "./other-tests.ts";
import { recordSequences } from "./recorded-sequences.ts";
import {
  type AftermathKind,
  aftermathKinds,
  type SimulatedAftermath,
  simulateAftermath,
} from "./simulated-aftermaths.ts";
import {
  type SimulatedRelease,
  type StrataKind,
  simulateRelease,
  strataKinds,
} from "./simulated-releases.ts";

const options = readOptions(
  { name: "verdict", about: "False alarms, power and delay of release verdicts, by simulation." },
  {
    releases: [10_000, "harmless releases of each kind of strata"],
    worse: [1_000, "releases of each size of worsening"],
    seed: [1, "of the random numbers"],
    record: ["", "write recorded sequences with their evidence to this file, and nothing else"],
  },
);
const kinds = Object.keys(strataKinds) as StrataKind[];
const worsenings = [0.05, 0.1, 0.2, 0.3, 0.5];
const worseBy = 0.2;
/** When the test that looks once does so. */
const lookAt = 100;
const repeatedFrom = 10;
/** The share of the releases that are worse. */
const [pastCount, reviewCount] = [400, 300];
const naiveZ = criticalZ(falseAlarmRate);

if (options.record !== "") {
  const lines = recordSequences(options.seed).map((one) => `${JSON.stringify(one)}\n`);
  fs.writeFileSync(options.record, lines.join(""));
  process.exit(0);
}

type Row = Record<string, string | number>;

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const quantile = (sorted: readonly number[], share: number): number | string =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? "–";

/** The first review after which a test repeated after every review says "worse". */
function repeatNaively(
  { past, reviews }: SimulatedRelease,
  names: readonly number[],
): number | null {
  const tests = openZTests({ past, questions, isStratified: false });
  for (const [index, review] of reviews.entries()) {
    tests.add(review);
    if (index + 1 >= repeatedFrom && names.some((name) => tests.z(name) > naiveZ)) return index;
  }
  return null;
}

/** The largest z of a question, in parts of the z that Bonferroni's correction with the weights of the verdict asks. */
function lookOnce({ past, reviews }: SimulatedRelease): number {
  const tests = openZTests({ past, questions, isStratified: true });
  for (const review of reviews) tests.add(review);
  const ratios = questions.map(({ weight }, name) => tests.z(name) / (criticalZs.get(weight) ?? 1));
  return Math.max(...ratios);
}
const criticalZs = new Map(
  questions.map(({ weight }) => [weight, criticalZ(falseAlarmRate * weight)] as const),
);

function testHarmless(kind: StrataKind): Row {
  const random = createRandom(options.seed * 100 + kinds.indexOf(kind));
  let [worse, fine, once, repeatedOne, repeatedAll] = [0, 0, 0, 0, 0];
  for (let release = 0; release < options.releases; release += 1) {
    const simulated = simulateRelease(random, { kind, worsening: 0 });
    const { past, reviews } = simulated;
    const tested = testRelease({ questions, pasts: [past], reviews, worseBy });
    worse += Number(tested.worseAt !== null);
    fine += Number(tested.worseAt === null && tested.fineAt !== null);
    once += Number(lookOnce(simulated) > 1);
    repeatedOne += Number(repeatNaively(simulated, [0]) !== null);
    repeatedAll += Number(repeatNaively(simulated, [...questions.keys()]) !== null);
  }
  const [low, high] = clopperPearson(worse, options.releases);
  return {
    ...{
      strata: kind,
      releases: options.releases,
      worse,
      share: percent(worse / options.releases),
    },
    "95 % interval": `${percent(low)} to ${percent(high)}`,
    fine: percent(fine / options.releases),
    "z-test, once": percent(once / options.releases),
    "z-test repeated: negative share": percent(repeatedOne / options.releases),
    "all questions": percent(repeatedAll / options.releases),
  };
}

/** The limit at which the test that looks once calls 5 % of such harmless releases worse: z alone is too bold. */
function calibrate(kind: StrataKind): number {
  const random = createRandom(options.seed * 100 + 25 + kinds.indexOf(kind));
  const shape = { kind, worsening: 0, pastCount, reviewCount: lookAt };
  const ratios = Array.from({ length: 2 * options.worse }, () =>
    lookOnce(simulateRelease(random, shape)),
  );
  return (
    ratios.sort((one, other) => one - other)[Math.floor((1 - falseAlarmRate) * ratios.length)] ?? 1
  );
}

function testWorse(kind: StrataKind, worsening: number, onceMin: number): Row {
  const random = createRandom(options.seed * 100 + 50 + kinds.indexOf(kind));
  const delays: number[] = [];
  let [once, early, fine] = [0, 0, 0];
  for (let release = 0; release < options.worse; release += 1) {
    const simulated = simulateRelease(random, { kind, worsening, reviewCount, pastCount });
    const { past, reviews } = simulated;
    const { worseAt, fineAt } = testRelease({ questions, pasts: [past], reviews, worseBy });
    if (worseAt !== null) delays.push(worseAt + 1);
    early += Number(worseAt !== null && worseAt < lookAt);
    fine += Number(fineAt !== null);
    once += Number(lookOnce({ past, reviews: reviews.slice(0, lookAt) }) > onceMin);
  }
  delays.sort((one, other) => one - other);
  return {
    ...{ strata: kind, worsening: percent(worsening) },
    [`worse by ${lookAt} reviews`]: percent(early / options.worse),
    [`z-test once at ${lookAt}`]: percent(once / options.worse),
    [`worse by ${reviewCount}`]: percent(delays.length / options.worse),
    "reviews until worse: median": quantile(delays, 0.5),
    "nine of ten": quantile(delays, 0.9),
    [`${percent(worseBy)} ruled out`]: percent(fine / options.worse),
  };
}

/** How soon a harmless release is fine. */
function testFine(size: number): Row {
  const random = createRandom(options.seed * 100 + 99);
  const delays: number[] = [];
  for (let release = 0; release < options.worse; release += 1) {
    const shape = { kind: "storefront", worsening: 0, reviewCount, pastCount } as const;
    const { past, reviews } = simulateRelease(random, shape);
    const { fineAt } = testRelease({ questions, pasts: [past], reviews, worseBy: size });
    if (fineAt !== null) delays.push(fineAt + 1);
  }
  delays.sort((one, other) => one - other);
  return {
    worseBy: percent(size),
    [`fine by ${reviewCount} reviews`]: percent(delays.length / options.worse),
    "reviews until fine: median": quantile(delays, 0.5),
    "nine of ten": quantile(delays, 0.9),
  };
}

/** How often a sentence about the later releases was false at any moment. */
function testAftermath(kind: AftermathKind): Row {
  const random = createRandom(options.seed * 100 + 69);
  const seen = Array.from({ length: options.worse }, () => simulateAftermath(random, kind));
  const count = (is: (one: SimulatedAftermath) => boolean): number => seen.filter(is).length;
  const wrong = [count((one) => one.false.fixed), count((one) => one.false.not_fixed)];
  const share = (number: number): string => percent(number / options.worse);
  return {
    ...{ history: kind, most: Math.max(...wrong) },
    ...{ "false: fixed": share(wrong[0] ?? 0), "false: not fixed": share(wrong[1] ?? 0) },
    "at the end: fixed": share(count(({ last }) => last === "fixed")),
    "not fixed": share(count(({ last }) => last === "not_fixed")),
  };
}

function print(title: string, rows: readonly Row[]): void {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, names.map(() => "---"), ...rows.map((row) => Object.values(row))];
  process.stdout.write(
    `\n${title}\n\n${lines.map((line) => `| ${line.join(" | ")} |`).join("\n")}\n`,
  );
}

const harmless = kinds.map(testHarmless);
print("Harmless releases, looked at after every review", harmless);
const worse = kinds.flatMap((kind) => {
  const onceMin = calibrate(kind);
  return worsenings.map((size) => testWorse(kind, size, onceMin));
});
print(`Worse releases: ${pastCount} past reviews, ${reviewCount} of the release`, worse);
const fine = [0.05, 0.1, 0.15, 0.2, 0.3].map(testFine);
print("Harmless releases in 25 storefronts: how soon they are fine", fine);
const aftermaths = aftermathKinds.map(testAftermath);
print("Sentences about the releases after a bad one, read after every review", aftermaths);
process.stdout.write(`\n${JSON.stringify({ harmless, worse, fine, aftermaths })}\n`);
const isKept =
  harmless.every(({ worse }) => Number(worse) <= falseAlarmRate * options.releases) &&
  aftermaths.every((row) => Number(row["most"]) <= falseAlarmRate * options.worse);
process.exit(isKept ? 0 : 1);
