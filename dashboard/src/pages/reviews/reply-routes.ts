// The routes of answers and of their templates, which several cards read.
export const reviewRoute = "GET /workspaces/:workspace/apps/:app/reviews/:review" as const;
export const replyRoute = "GET /workspaces/:workspace/replies/:review" as const;
export const templatesRoute = "GET /workspaces/:workspace/reply-templates" as const;
