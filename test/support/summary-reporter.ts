// A vitest reporter that lists the slowest files and the tests that passed at a second try, and ends the run with the plain line `N passed, N failed, N skipped`.
import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      // A file that failed to load has no tests, and must count as a failure.
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state !== "pending") counts[state] += 1;
      }
    }
    writeSlowest(modules);
    writeUnsteady(modules);
    process.stdout.write(
      `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`,
    );
  }
}

const slowestMax = 10;

/** So that they stay known. */
function writeSlowest(modules: readonly TestModule[]): void {
  if (modules.length <= slowestMax) return;
  const files = modules.map((module) => ({
    name: path.relative(process.cwd(), module.moduleId),
    seconds: module.diagnostic().duration / 1_000,
  }));
  const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, slowestMax);
  const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
  process.stdout.write(`\nSlowest files\n${lines.join("\n")}\n`);
}

/** Tests that depend on the machine or on chance, and are to be mended. */
function writeUnsteady(modules: readonly TestModule[]): void {
  const names = modules.flatMap((module) =>
    [...module.children.allTests()]
      .filter((test) => test.diagnostic()?.flaky === true)
      .map((test) => `  ${path.relative(process.cwd(), module.moduleId)} > ${test.fullName}`),
  );
  if (names.length > 0) process.stdout.write(`\nPassed at a second try\n${names.join("\n")}\n`);
}
