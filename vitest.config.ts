import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "simulator/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts"],
    reporters: ["default", "./test/support/closing-line.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // PostgreSQL runs beside the tests: more workers than cores only make each other wait.
    maxWorkers: 2,
  },
});
