// Answers to reviews and their templates, as the dashboard calls them.
import type { z } from "zod";
import type { Carries, Changes, Nothing, Route } from "../../dashboard-api/contract/route.ts";
import type { draftReply, sendReply, withdrawReply } from "./operations.ts";
import type { compositionSchema, ReplyTemplate, replyViewSchema } from "./reply.ts";
import type { changeTemplate, createTemplate } from "./templates.ts";

/** `fields` has the values of the fields of templates, as far as they are known. */
export type Reply = z.output<typeof replyViewSchema> & {
  version: number;
  /** Whether a language model writes drafts. */
  canCompose: boolean;
  fields: { author: string; app: string; version: string };
};
export type Template = Omit<ReplyTemplate, "workspaceId">;

export type ReplyRoutes = {
  "GET /workspaces/:workspace/replies/:review": Route<{ reply: Reply }>;
  "POST /workspaces/:workspace/replies/:review/draft": Changes<Nothing, typeof draftReply>;
  /** 409 when the review has another public answer than `replaces`, or an answer is being sent. */
  "POST /workspaces/:workspace/replies/:review/send": Changes<Nothing, typeof sendReply>;
  "POST /workspaces/:workspace/replies/:review/withdraw": Changes<Nothing, typeof withdrawReply>;
  /** A draft of a language model: nothing is saved. `tone` is a template. 503 when the model gives none. */
  "POST /workspaces/:workspace/replies/:review/compose": Route<
    { text: string },
    typeof compositionSchema
  >;
  "GET /workspaces/:workspace/reply-templates": Route<{ templates: Template[] }>;
  "POST /workspaces/:workspace/reply-templates": Carries<{ id: string }, typeof createTemplate>;
  "PATCH /workspaces/:workspace/reply-templates/:template": Changes<Nothing, typeof changeTemplate>;
  "DELETE /workspaces/:workspace/reply-templates/:template": Route<Nothing>;
};
