// The routes by which programs set up a workspace: those of the table of operations, and the whole set-up in one document. A
// new one has all that write-handler.ts promises.

import { z } from "zod";
import { deliveryStatuses } from "../../domain/channel/delivery.ts";
import { idSchema } from "../../domain/fields.ts";
import { reviewWorkLimits } from "../../domain/review/review-work.ts";
import { wholeNumberText } from "../../domain/text-values.ts";
import { failField } from "../../domain/validation-errors.ts";
import { applySetup } from "../../features/setup-document/apply-setup.ts";
import { exportSetup } from "../../features/setup-document/export-setup.ts";
import { type Setup, setupSchema } from "../../features/setup-document/schema.ts";
import { lazy } from "../../lib/lazy.ts";
import { formatDates } from "../../lib/timestamp.ts";
import { channelNoun } from "../../operations/channel.ts";
import { noteNoun } from "../../operations/note.ts";
import { nouns } from "../../operations/operations.ts";
import { reviewNoun } from "../../operations/review.ts";
import { requireChannel } from "../../use-cases/channels/channels.ts";
import { listDeliveryPage } from "../../use-cases/channels/deliveries.ts";
import { requireWorkedReview } from "../../use-cases/reviews/review-work.ts";
import { requireWorkspace } from "../../use-cases/workspaces/workspaces.ts";
import { flag, pageSizeMax } from "../parameters.ts";
import { type ManageRoute, manageRoute, noQuery, writeQuery } from "./manage-route.ts";
import { routesOfNoun } from "./operation-routes.ts";

const pageSizeDefault = 30;
const deliveriesQuery = z.object({
  status: z.enum([...deliveryStatuses, "retrying"]).optional(),
  before: idSchema.optional().meta({ format: "uuid" }),
  limit: wholeNumberText({ min: 1, max: pageSizeMax }).default(pageSizeDefault),
});

const loggedDelivery = z
  .object({
    id: z.string(),
    channelId: z.string(),
    appId: z.string().nullable(),
    reviewId: z.string().nullable(),
    event: z.string(),
    isTest: z.boolean(),
    status: z.enum(deliveryStatuses),
    createdAt: z.iso.datetime(),
    dueAt: z.iso.datetime().describe("The next attempt of a pending delivery."),
    attemptCount: z.int(),
    finishedAt: z.iso.datetime().nullable(),
    lastStatus: z.int().nullable().describe("HTTP status of the last attempt."),
    lastReason: z.string().nullable().describe("Why the last attempt failed."),
  })
  .meta({ id: "LoggedDelivery" });

const deliveryList = manageRoute({
  method: "get",
  status: 200,
  body: null,
  path: "/channels/{channel}/deliveries",
  resource: channelNoun,
  query: deliveriesQuery,
  answer: z.object({ deliveries: z.array(loggedDelivery), nextBefore: z.string().nullable() }),
  operationId: "listDeliveries",
  summary: "List what was sent to a channel",
  description: "The newest first. Pass `nextBefore` as `before` for the next page.",
  async handle({ deps, workspaceId, id, query }) {
    const { id: channelId } = await requireChannel(deps.database, { id, workspaceId });
    const page = await listDeliveryPage(deps.database, { channelId, workspaceId, ...query });
    return { body: { ...page, deliveries: page.deliveries.map(formatDates) } };
  },
});

const noteList: ManageRoute = {
  method: "get",
  status: 200,
  body: null,
  path: "/reviews/{review}/notes",
  resource: reviewNoun,
  query: noQuery,
  answer: z.object({ notes: z.array(noteNoun.viewSchema ?? z.never()) }),
  operationId: "listNotes",
  summary: "List the notes on a review",
  description: "The oldest first.",
  async handle({ deps, workspaceId, id }) {
    const { database } = deps;
    await requireWorkedReview(database, { workspaceId, id });
    const { notesMax: limit } = reviewWorkLimits;
    const notes = await database.listReviewNotes({ workspaceId, reviewId: id, limit });
    return { body: { notes: notes.map((note) => noteNoun.toView({ ...note, version: 0 })) } };
  },
};

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

const listSetupRoutes = (): readonly ManageRoute[] => [
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

/** Those of features included. */
export const manageRoutes = lazy((): readonly ManageRoute[] => [
  ...nouns.flatMap(routesOfNoun),
  deliveryList,
  noteList,
  ...listSetupRoutes(),
]);
