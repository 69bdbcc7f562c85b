// Fine-tuning on the pages: what it did, and its switches for the owner of the only workspace. It is one for the whole
// installation, so that of several workspaces none may decide for the others.

import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import {
  type FineTuningStatus,
  readFineTuning,
  runFineTuningAgain,
  setFineTuning,
} from "../../use-cases/analysis/fine-tuning.ts";
import type { FineTunedLanguage } from "../contract/fine-tuning.ts";
import { fineTuningChange } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { toJson } from "../show.ts";

export const fineTuningRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/fine-tuning", {
    access: "viewer",
    async handle({ deps, workspace }) {
      const { isOn, languages } = await readFineTuning(deps.database);
      return {
        isOn,
        canChange: workspace.role === "owner" && (await isOnlyWorkspace(deps.database)),
        languages: languages.map(toLanguageView),
      };
    },
  }),
  route("PATCH /workspaces/:workspace/fine-tuning", {
    access: "owner",
    body: fineTuningChange,
    async handle({ deps, body }) {
      await assertOnlyWorkspace(deps.database);
      await setFineTuning(deps.database, body);
    },
  }),
  route("POST /workspaces/:workspace/fine-tuning/run", {
    access: "owner",
    limits: [{ perMinute: 2, by: "workspace" }],
    recordedAs: "fine_tuning.run",
    async handle({ deps }) {
      await assertOnlyWorkspace(deps.database);
      await runFineTuningAgain(deps.database);
    },
  }),
];

function toLanguageView(status: FineTuningStatus): FineTunedLanguage {
  const { reviews: reviewCount, missing: missingCount, ...known } = status;
  const { heldOut: _heldOut, status: _status, takenAt: _takenAt, ...shown } = known;
  return toJson({ ...shown, reviewCount, missingCount });
}

/** @throws AppError `forbidden` */
async function assertOnlyWorkspace(database: Pick<Database, "listWorkspaces">): Promise<void> {
  if (await isOnlyWorkspace(database)) return;
  const message = "other workspaces use it too: the operator decides, with starpost adaptation";
  throw new AppError("forbidden", message);
}

async function isOnlyWorkspace(database: Pick<Database, "listWorkspaces">): Promise<boolean> {
  return (await database.listWorkspaces()).length === 1;
}
