// Whether reading stays as fast while an installation grows: a database of each size on one server, each question
// asked of all of them in turns, so that what else the machine does makes them all slower. Prints the fastest round
// of each and its ratio to the first size. `--sizes` says how many reviews.
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import { type Figure, printFigures } from "../read-api/report.ts";
import { reviewsPerApp } from "./data.ts";
import { listQuestions, type Question } from "./questions.ts";
import { type Filled, fillDatabase, openFilled } from "./sized-databases.ts";

const options = readOptions(
  { name: "scale", about: "How long pages and counts take while an installation grows." },
  {
    sizes: ["100000,2000000", "numbers of reviews, ascending, with commas"],
    data: ["", "a folder to keep the databases in: a later run measures them without filling"],
    url: ["", "a database of your own to make those of the sizes beside, instead of a server"],
    rounds: [40, "how often each question is asked"],
  },
);
/** Apps that are asked about in turns, once each before it counts: as many at each size, so that they fit memory. */
const turns = 10;
const sizes = options.sizes
  .split(",")
  .map((size) => Math.max(1, Math.round(Number(size) / reviewsPerApp)) * reviewsPerApp);

const resources = new ResourceStack();
try {
  await main();
} finally {
  await resources.closeAll();
}

async function main(): Promise<void> {
  const settings = { synchronous_commit: "off", max_wal_size: "4GB", shared_buffers: "1GB" };
  const { data: keptDir, url } = options;
  if (sizes.some((size, index) => !(size > (sizes[index - 1] ?? 0)))) {
    throw new Error(
      `--sizes: numbers that grow by ${reviewsPerApp} or more, with commas between them`,
    );
  }
  const server = await openBenchDatabase(resources, { settings, url, keptDir });
  let smaller: number | null = null;
  for (const size of sizes) {
    await fillDatabase(server, { size, smaller });
    smaller = size;
  }
  const filled: Filled[] = [];
  for (const size of sizes) filled.push(await openFilled(resources, { server, size }));
  printFigures(await measure(filled), { sizes });
}

async function measure(filled: readonly Filled[]): Promise<Figure[]> {
  const subjects = filled.map((one) => ({
    ...one,
    questions: listQuestions(one.database, one.data),
  }));
  const names = new Set(subjects.flatMap(({ questions }) => questions.map(({ what }) => what)));
  const figures: Figure[] = filled.map(({ size, bytes }) => ({
    ...{ part: partOf(size), what: "database", value: bytes / 1e9, unit: "GB", limit: "" },
  }));
  const fastest = new Map<string, number>();
  for (const what of names) {
    const those = subjects.flatMap(({ size, data, questions }) => {
      const question = questions.find((one) => one.what === what);
      return question ? [{ size, apps: data.apps, question }] : [];
    });
    const times = await takeTurns(those);
    const [first = Number.NaN] = times;
    those.forEach(({ size, question }, index) => {
      const value = times[index] ?? Number.NaN;
      const part = partOf(size);
      fastest.set(`${part} ${what}`, value);
      const ofOne = fastest.get(`${part} ${question.ofOneApp ?? ""}`);
      const limit =
        ofOne === undefined ? (question.limit ?? "") : `≤ ${(10 * ofOne).toPrecision(3)}`;
      figures.push({ part, what, value, unit: "ms", limit });
      if (index === 0) return;
      const ratio = {
        part,
        what: `${what}: × ${partOf(those[0]?.size ?? 0)}`,
        value: value / first,
      };
      figures.push({ ...ratio, unit: "", limit: question.grows ? "" : "≤ 1.5" });
    });
  }
  return figures;
}

function partOf(size: number): string {
  return `${size / 1000} k`;
}

type Subject = { apps: Filled["data"]["apps"]; question: Question };

/** The fastest round of each: what else the machine does makes some rounds longer, and none shorter. */
async function takeTurns(subjects: readonly Subject[]): Promise<number[]> {
  const fastest = subjects.map(() => Number.POSITIVE_INFINITY);
  const isWide = subjects.some(({ question }) => question.isWide);
  const rounds = isWide ? Math.ceil(options.rounds / 4) : options.rounds;
  for (let round = -turns; round < rounds; round += 1) {
    for (const [index, { apps, question }] of subjects.entries()) {
      const app = apps[Math.floor((((round + turns) % turns) * apps.length) / turns)];
      if (!app) throw new Error("no apps");
      const startMs = performance.now();
      await question.run(app);
      if (round >= 0) fastest[index] = Math.min(fastest[index] ?? 0, performance.now() - startMs);
    }
  }
  return fastest;
}
