import { defineConfig } from "vitest/config";
import { patience } from "./test/support/patience.ts";

const typescriptLoader = new URL("bin/typescript-loader.mjs", import.meta.url).href;

const n8nWorkflow = new URL("test/support/n8n-workflow.ts", import.meta.url).pathname;

export default defineConfig({
  resolve: { alias: { "n8n-workflow": n8nWorkflow } },
  test: {
    include: [
      "src/**/*.test.ts",
      "simulator/**/*.test.ts",
      "test/**/*.test.ts",
      "dashboard/src/**/*.test.ts",
      "docs-site/**/*.test.ts",
    ],
    globalSetup: ["test/support/postgres.ts"],
    setupFiles: [
      "test/support/async-storages.ts",
      "test/support/check-statements.ts",
      "test/support/watch-nested-use.ts",
      "test/support/cheap-passwords.ts",
      "test/support/features.ts",
    ],
    reporters: ["default", "./test/support/summary-reporter.ts"],
    // Only ends what hangs: how fast anything is, is for bench/ to say.
    testTimeout: patience(120_000),
    // CI sets it, and lists what passed at a second try.
    retry: Number(process.env["TEST_RETRIES"] ?? 0),
    expect: { poll: { timeout: patience(20_000) } },
    hookTimeout: patience(120_000),
    // Files that run in one worker share loaded modules: loading them for each file anew cost a third of
    // the run. A test that changes something global puts it back.
    isolate: false,
    // Collecting garbage less often takes a tenth less processor time.
    execArgv: ["--max-semi-space-size=64", "--import", typescriptLoader],
    // For two cores: many tests wait for endpoints, timers and PostgreSQL most of their time.
    maxWorkers: 4,
  },
});
