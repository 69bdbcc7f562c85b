// The regular expressions of the service, and how long each takes. It is tried on texts that nearly match it. A text that it matches is
// invented, each of its parts is repeated up to the length of a long text, and the end is spoilt.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import fc from "fast-check";
import { parseSync } from "rolldown/utils";
import { isMeasured } from "./fuzz-case.ts";

// The square of the shorter length takes 10 ms, and a linear expression a hundredth of one.
const { textLength, cpuMsMax } = isMeasured
  ? { textLength: 20_000, cpuMsMax: 50 }
  : { textLength: 5_000, cpuMsMax: 5 };
const sampleCount = isMeasured ? 20 : 3;
const sampleLengthMax = 24;
const pumpLengthMax = isMeasured ? 8 : 3;

/** Expressions that only read the project, the operator, or short texts. */
const trusted: Readonly<Record<string, string>> = {
  "src/api/docs/": "pages of the project",
  "src/config/env-file.ts": "the operator's file",
  "src/config/setting-fields.ts": "the operator's settings",
  "src/lib/postgres/server-urls.ts": "the operator's settings",
  "src/delivery/channel-types/email/mailer.ts": "the operator's settings",
  "src/domain/people/easy-password.ts": "passwords, of 128 characters",
  "src/lib/word-lists.ts": "word lists of the project",
};

type Found = { expression: RegExp; file: string };

export function listExpressions(folder: string): Found[] {
  return fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const file = path.join(folder, name);
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) return [];
    const source = fs.readFileSync(file, "utf8");
    if (Object.keys(trusted).some((known) => file.startsWith(known))) return [];
    return literalsIn(parseSync(file, source).program).map((expression) => ({ expression, file }));
  });
}

function literalsIn(node: unknown): RegExp[] {
  if (typeof node !== "object" || node === null) return [];
  if ("regex" in node) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string };
    // A sticky expression is tried at each place anyway.
    return [new RegExp(pattern, flags.replace("y", ""))];
  }
  return Object.values(node).flatMap(literalsIn);
}

/** Characters of the expression itself, where its texts can't be invented. */
function inventTexts(expression: RegExp): string[] {
  try {
    const options = { seed: 1, numRuns: sampleCount };
    return fc.sample(fc.stringMatching(new RegExp(withoutNegations(expression))), options);
  } catch {
    return [`${expression.source.replace(/[\\^$()[\]{}|?*+]/g, "")} \t0a-`];
  }
}

/** fast-check looks for characters outside of a class without end: one that it doesn't have is put in its place. */
function withoutNegations({ source, flags }: RegExp): string {
  return source.replace(/\[\^(?:\\.|[^\]\\])+\]|\\[SWD]/g, (negation) => {
    const oneOf = new RegExp(negation, flags.replace("g", ""));
    return [..."a0-~\t\u0000"].find((char) => oneOf.test(char)) ?? "a";
  });
}

function* nearMatches(expression: RegExp): Generator<string> {
  for (const text of inventTexts(expression).map((one) => one.slice(0, sampleLengthMax))) {
    for (let from = 0; from < text.length; from += 1) {
      const lengths = [
        ...Array.from({ length: pumpLengthMax }, (_, index) => index + 1),
        text.length,
      ];
      for (const length of lengths) {
        const pump = text.slice(from, from + length);
        const pumped = text.slice(0, from) + pump.repeat(textLength / pump.length);
        yield `${pumped}\n\u0000`;
        yield `${pumped}${text.slice(from + length)}\u0000`;
      }
    }
  }
  for (const pump of [" ", "\t", "a", "0", "/", "<", "a ", "a."])
    yield `${pump.repeat(textLength / pump.length)}\n\u0000`;
}

function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

/** The least of three, when the first takes long: compiling and collecting garbage are not the expression's. */
function measure({ expression }: Found): { worstMs: number; text: string } {
  let worst = { worstMs: 0, text: "" };
  for (const text of nearMatches(expression)) {
    const read = () => text.replace(expression, "");
    let ms = cpuMsOf(read);
    for (let again = 0; again < 2 && ms > cpuMsMax; again += 1) ms = Math.min(ms, cpuMsOf(read));
    if (ms > worst.worstMs) worst = { worstMs: ms, text };
    if (ms > cpuMsMax) return worst;
  }
  return worst;
}

/** null for an expression that is quick for all of them. */
export function describeSlowness(found: Found): string | null {
  const { worstMs, text } = measure(found);
  if (worstMs <= cpuMsMax) return null;
  const begin = JSON.stringify(text.slice(0, 40));
  return `${found.file} ${found.expression}: ${Math.ceil(worstMs)} ms for ${begin}`;
}
