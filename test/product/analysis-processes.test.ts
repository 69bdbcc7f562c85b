// The same review gets the same analysis in every process that runs the built files, whatever was analyzed
// before it.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { analyzeReview } from "../../src/analysis/analyze.ts";
import type { AnalysisInput } from "../../src/domain/review/analysis.ts";
import { ensureBuilt } from "../support/built-cli.ts";

const builtAnalysis = path.resolve(import.meta.dirname, "../../dist/src/analysis/analyze.js");
const texts = [
  "No crashes any more, thank you!",
  "Aplikasinya bagus tapi banyak iklan",
  "すぐ落ちるし、使えない",
  "Me encanta 😍 pero es cara",
  "\ud83d lone \udc00 ones",
  "ﷺ".repeat(500),
  "",
];
const reviews: AnalysisInput[] = texts.flatMap((text) =>
  [1, 3, 5].map((rating) => ({ title: "Hm…", text, rating, languageHint: "pt-BR" })),
);

beforeAll(ensureBuilt, 120_000);

test("two processes and this one agree on every review, in any order", () => {
  const here = reviews.map((review) => analyzeReview(review));
  expect(inProcess(reviews)).toEqual(here);
  expect(inProcess(reviews.toReversed())).toEqual(here.toReversed());
});

function inProcess(input: readonly AnalysisInput[]): unknown {
  const program = `
    import { analyzeReview } from ${JSON.stringify(builtAnalysis)};
    let input = "";
    for await (const part of process.stdin) input += part;
    const analyses = JSON.parse(input).map((review) => analyzeReview(review));
    process.stdout.write(JSON.stringify(analyses));
  `;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    input: JSON.stringify(input),
    encoding: "utf8",
  });
  return JSON.parse(output);
}
