// Runs a command line in this process, on the database of a test, with stubbed stores and services that only report
// their start.

import { randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import type { CliContainer, CliContext } from "../../src/cli/context.ts";
import { runCli } from "../../src/cli/run.ts";
import { readConfig } from "../../src/config/config.ts";
import { newCrawlSummary } from "../../src/crawling/crawl-summary.ts";
import type { FeedOutcome } from "../../src/domain/feed/feed.ts";
import { workspaceLimitsDefault } from "../../src/domain/people/workspace.ts";
import { ofEachStore } from "../../src/domain/store/store-id.ts";
import { createRatingsIngest } from "../../src/ingest/ingest-ratings.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createSecretBox } from "../../src/lib/secret-box.ts";
import type { Store } from "../../src/stores/store.ts";
import type { TestContext } from "./test-context.ts";

export type RunValues = {
  outcome?: FeedOutcome;
  break?: boolean;
  /** Settings in addition to none. */
  env?: Record<string, string>;
  /** The typed or piped input. */
  input?: string;
  /** Whether stdin and stderr are a terminal. */
  isTerminal?: boolean;
  untilStopped?: () => Promise<void>;
};

export type CliHarness = {
  run(argv: readonly string[], values?: RunValues): Promise<Run>;
  /** The output for scripts: exactly one JSON value. */
  runJson(
    argv: readonly string[],
    values?: RunValues,
  ): Promise<{ exitCode: number; value: Record<string, unknown> }>;
};

export function openCliHarness(world: () => TestContext): CliHarness {
  return {
    run: (argv, values = {}) => run(world(), { argv, values }),
    async runJson(argv, values = {}) {
      const { exitCode, stdout } = await run(world(), { argv: [...argv, "--json"], values });
      return { exitCode, value: JSON.parse(stdout) };
    },
  };
}

// The one of test/support/api-test-context.ts, so that commands and requests may share a database.
const secretBox = createSecretBox([Buffer.alloc(32, 5)]);
const unused = (): never => {
  throw new Error("no command asks for this");
};

function aStore(id: Store["id"]): Store {
  return {
    id,
    validateAppId: (text) =>
      id === "googleplay" || /^\d+$/.test(text)
        ? { ok: true }
        : { ok: false, reason: "must be a number" },
    fetchReviews: unused,
    fetchRatings: unused,
    parseLink: () => null,
    findApps: unused,
    async fetchApp({ externalAppId }) {
      return { outcome: "ok", value: { externalAppId, name: "Tidepool", iconUrl: "" } };
    },
  };
}

export type Run = { exitCode: number; stdout: string; stderr: string; closeCount: number };

async function run(
  world: TestContext,
  { argv, values }: { argv: readonly string[]; values: RunValues },
): Promise<Run> {
  const isTTY = values.isTerminal === true;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(values.input ?? "");
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY });
  let closeCount = 0;
  const container: CliContainer = {
    ...world,
    stores: ofEachStore(aStore),
    ingestReviews: createIngest(world),
    ingestRatings: createRatingsIngest(world),
    async crawlListing({ onPage }) {
      const report = newCrawlSummary({ kind: "reviews", region: "us" });
      onPage?.({ ...report, pages: 1, reviews: 50 });
      return { summaries: [{ ...report, outcome: values.outcome ?? "ok" }], busyFeeds: [] };
    },
  };
  const context: CliContext = {
    ...world,
    log: silentLog,
    cursorKeys: [randomBytes(32)],
    actor: "cli",
    config: readConfig({ env: values.env ?? {}, envFile: "no such file" }),
    defaultPlan: "studio",
    providers: [],
    secretBox,
    secretOverlapMs: 86_400_000,
    workspaceLimits: workspaceLimitsDefault,
    loadContainer: async () => container,
    checkUrl: async (url, type) =>
      type === "email" || url.startsWith("https://")
        ? { ok: true }
        : { ok: false, reason: "must be https" },
    async close() {
      closeCount += 1;
    },
  };
  const exitCode = await runCli(argv, {
    async openContext() {
      if (values.break) throw new TypeError("a bug");
      return context;
    },
    async startService(roles) {
      return { url: `http://${roles?.join("+") ?? "all"}.example`, async close() {} };
    },
    loadConfig: async () => context.config,
    migrate: async () => ["001-schema.sql"],
    untilStopped: values.untilStopped ?? (async () => {}),
    stdin,
    stdout,
    stderr,
  });
  return { exitCode, stdout: textOf(stdout), stderr: textOf(stderr), closeCount };
}

function textOf(stream: PassThrough): string {
  const text: unknown = stream.read();
  return text === null ? "" : String(text);
}
