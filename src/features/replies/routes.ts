// Answers to reviews and their templates: the dashboard's routes.

import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import { AppError } from "../../domain/error.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { composeReply } from "./compose.ts";
import type { ReplyRoutes } from "./contract.ts";
import { findReplies, type ReplyRow, toReplyView } from "./find-replies.ts";
import { draftReply, repliesAreOff, sendReply, withdrawReply } from "./operations.ts";
import { compositionSchema } from "./reply.ts";
import * as statements from "./sql.ts";
import { changeTemplate, createTemplate, removeTemplate } from "./templates.ts";

const { operate, route } = routesOf<ReplyRoutes>();

export const replyRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/replies/:review", {
    access: "viewer",
    async handle({ deps, workspace, workspaceId, params }) {
      const row = await requireRow(deps, { workspaceId, id: params.review });
      const { review, app, version } = row;
      const view = toReplyView(row);
      const fault = deps.settings.replies === "off" ? repliesAreOff : view.fault;
      const fields = { author: review.author, app: app.name, version: review.version };
      const canCompose = deps.chat != null;
      // As notes, drafts are for those who work on reviews.
      const draft = workspace.role === "viewer" ? null : view.draft;
      return { reply: { ...view, draft, fault, version, canCompose, fields } };
    },
  }),
  route("POST /workspaces/:workspace/replies/:review/compose", {
    access: "member",
    body: compositionSchema,
    limits: [{ perMinute: 20, by: "workspace" }],
    async handle({ deps, workspaceId, params, body }) {
      const row = await requireRow(deps, { workspaceId, id: params.review });
      if (!deps.chat) throw new AppError("conflict", "no language model is set up");
      const tone =
        body.tone === null
          ? null
          : await deps.database.with(statements).findTemplate({ id: body.tone, workspaceId });
      return { text: await composeReply(deps.chat, row, tone?.text ?? null) };
    },
  }),
  operate("POST /workspaces/:workspace/replies/:review/draft", draftReply),
  operate("POST /workspaces/:workspace/replies/:review/send", sendReply),
  operate("POST /workspaces/:workspace/replies/:review/withdraw", withdrawReply),
  route("GET /workspaces/:workspace/reply-templates", {
    access: "viewer",
    async handle({ deps, workspaceId }) {
      const templates = await deps.database.with(statements).listTemplates({ workspaceId });
      return { templates: templates.map(({ workspaceId: _, ...template }) => template) };
    },
  }),
  operate(
    "POST /workspaces/:workspace/reply-templates",
    createTemplate,
    async ({ result: { id } }) => ({ id }),
  ),
  operate("PATCH /workspaces/:workspace/reply-templates/:template", changeTemplate),
  operate("DELETE /workspaces/:workspace/reply-templates/:template", removeTemplate),
];

async function requireRow(
  { database }: Pick<DashboardDeps, "database">,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<ReplyRow> {
  const [row] = await findReplies(database, { workspaceId, ids: [id] });
  if (!row) throw notFound("review", id);
  return row;
}
