// starpost verdict: whether a release made people unhappy, for people and for pipelines.

import { type Command, command } from "../../cli/command.ts";
import { appOption, flag, number, optional } from "../../cli/option.ts";
import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import { type Verdict, worseByDefault, worseBySchema } from "../../domain/changes/verdict.ts";
import { failField, parseField } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import { dayMs, hourMs, minuteMs } from "../../lib/timestamp.ts";
import { requireApp, requireSeen } from "../../use-cases/apps/apps.ts";
import { findVerdict, readVerdicts } from "./read-verdicts.ts";

const exitCodes = { fine: 0, worse: 1, undecided: 2 } as const;
const releasesMax = 20;
/** Versions that the refusal of an unknown one lists. */
const namedMax = 10;
const columns = ["version", "firstDay", "outcome", "decidedAt", "reviewCount", "words"];

export const commands: Command[] = [
  command({
    name: "verdict",
    isGate: true,
    options: {
      app: appOption,
      version: optional("--version <version>", "The version, as reviews name it."),
      worseBy: number(
        "--worse-by <share>",
        `The rise of a share that fine rules out, 0.05 to 0.5 (${worseByDefault}: 20 points).`,
      ),
      wait: optional("--wait <time>", "How long to wait for a verdict, like 90m, 24h or 3d."),
      unknownVersion: optional(
        "--unknown-version <result>",
        "The result for a version that no review names: error (default) or undecided.",
      ),
      backtest: flag(
        "--backtest",
        `Show when each of the last ${releasesMax} releases was decided, and how.`,
      ),
    },
    async run(
      { clock, database, isJson, note },
      { app: id, version, worseBy = worseByDefault, wait, unknownVersion = "error", backtest },
    ) {
      parseField(worseBySchema, { field: "worseBy", value: worseBy });
      if (!["error", "undecided"].includes(unknownVersion))
        failField("unknownVersion", "must be error or undecided");
      if (!backtest && version === undefined)
        failField("version", "is required without --backtest");
      const waitMs = wait === undefined ? 0 : parseWait(wait);
      const own = await requireApp(database, { id, workspaceId: null });
      const { workspaceId } = own;
      const app = await requireSeen(database, own);
      if (version === undefined || backtest) {
        const releases = { newestMax: releasesMax };
        const value = await readVerdicts(database, { workspaceId, apps: [app], worseBy, releases });
        return { value, columns };
      }
      const verdict = await waitForVerdict({
        ...{ clock, delay: systemDelay, waitMs },
        read: () => findVerdict(database, { workspaceId, app, worseBy, version }),
        onUndecided: (words) => note(`undecided, waiting: ${words}`),
      });
      if (verdict === null) {
        if (unknownVersion === "error") return failUnknown(database, { workspaceId, app, version });
        const words = `No review of this app names version ${version}.`;
        const value = isJson ? { version, result: "undecided", words } : "undecided";
        return { value, lines: ["", words], exitCode: exitCodes.undecided };
      }
      const exitCode = exitCodes[verdict.result];
      if (isJson) return { value: verdict, exitCode };
      return { value: verdict.result, lines: ["", ...describe(verdict)], exitCode };
    },
  }),
];

/** @throws AppError `invalid_input` with the newest versions that reviews name, for a version that was mistyped */
async function failUnknown(
  database: Pick<Database, "listAppVersions">,
  { workspaceId, app, version }: { workspaceId: string; app: FollowedApp; version: string },
): Promise<never> {
  const scope = { workspaceId, apps: [app], from: null, to: null, limit: namedMax };
  const named = (await database.listAppVersions(scope)).map((one) => one.version);
  const known = named.length > 0 ? `; the newest that reviews name: ${named.join(", ")}` : "";
  return failField("version", `no review of the app names ${version}${known}`);
}

function describe({ words, decidedAt, reviewIds }: Verdict): string[] {
  return [
    words,
    ...(decidedAt === null ? [] : [`Decided at ${decidedAt}.`]),
    ...(reviewIds.length > 0 ? ["", "Evidence:", ...reviewIds] : []),
  ];
}

const pollMs = minuteMs;

/** Reads until it is decided or the time is over. */
export async function waitForVerdict(wait: {
  clock: Clock;
  delay: Delay;
  waitMs: number;
  read: () => Promise<Verdict | null>;
  onUndecided: (words: string) => void;
}): Promise<Verdict | null> {
  const endAt = wait.clock.now().getTime() + wait.waitMs;
  for (let noted = ""; ; ) {
    const verdict = await wait.read();
    const leftMs = endAt - wait.clock.now().getTime();
    if ((verdict !== null && verdict.result !== "undecided") || leftMs <= 0) return verdict;
    const words = verdict?.words ?? "no review names the version yet";
    if (words !== noted) wait.onUndecided(words);
    noted = words;
    await wait.delay(Math.min(pollMs, leftMs));
  }
}

const units = { m: minuteMs, h: hourMs, d: dayMs } as const;
const waitMaxMs = 28 * dayMs;

/** @throws AppError `invalid_input` */
function parseWait(text: string): number {
  const [, count = "", unit = "m"] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const waitMs = Number(count) * units[unit as keyof typeof units];
  if (count === "" || waitMs > waitMaxMs)
    failField("wait", "must be like 90m, 24h or 3d, at most 28d");
  return waitMs;
}
