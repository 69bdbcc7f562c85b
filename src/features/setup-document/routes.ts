// The whole set-up of a workspace as one document of the API.
import { z } from "zod";
import {
  type ManageRoute,
  manageRoute,
  noQuery,
  writeQuery,
} from "../../api/manage/manage-route.ts";
import { flag } from "../../api/parameters.ts";
import { failField } from "../../domain/validation-errors.ts";
import { lazy } from "../../lib/lazy.ts";
import { requireWorkspace } from "../../use-cases/workspaces/workspaces.ts";
import { applySetup } from "./apply-setup.ts";
import { exportSetup } from "./export-setup.ts";
import { type Setup, setupSchema } from "./schema.ts";

const bodyBytesMax = 256 * 1024;
const applyQuery = writeQuery.extend({
  prune: flag("`true`: what a section of the document does not name is removed."),
});

const setupDocument = lazy(() => setupSchema().meta({ id: "Setup" }));
const step = z
  .object({
    action: z.enum(["create", "change", "remove", "skip"]),
    kind: z.string().describe("The noun, such as `channel`."),
    name: z.string(),
    fields: z.array(z.string()).describe("The fields that a change sets."),
  })
  .meta({ id: "SetupStep" });

export const listSetupRoutes = (): readonly ManageRoute[] => [
  {
    method: "get",
    path: "/setup",
    status: 200,
    body: null,
    query: noQuery,
    answer: z.object({ setup: setupDocument() }),
    operationId: "getSetup",
    summary: "Read the whole set-up as one document",
    description: "Secrets are placeholders.",
    handle: async ({ deps, workspaceId }) => ({
      body: { setup: await exportSetup(deps.database, { workspaceId }) },
    }),
  },
  manageRoute({
    method: "post",
    path: "/setup",
    status: 200,
    body: setupDocument(),
    bodyBytesMax,
    query: applyQuery,
    answer: z.object({ steps: z.array(step) }),
    operationId: "applySetup",
    summary: "Bring the workspace to the state of a document",
    description: "All of it or nothing. Sections that the document lacks stay as they are.",
    async handle({ deps, frame, saveAnswer, workspaceId, body, query }) {
      const setup = body as Setup;
      const { name } = await requireWorkspace(deps.database, { id: workspaceId });
      if (setup.workspace !== undefined && setup.workspace !== name) {
        failField("workspace", `the key belongs to the workspace ${name}`);
      }
      const steps = await applySetup(deps, {
        ...frame,
        setup,
        prunes: query.prune === true,
        setsRoles: false,
        last: (tx, steps) => saveAnswer(tx, { body: { steps } }),
      });
      return { body: { steps } };
    },
  }),
];
