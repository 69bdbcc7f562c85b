// The classes of routes by the credentials that they need; the sweep over the router attacks each of them.

export type RouteClass =
  | "public"
  | "API key"
  | "API key and POST"
  | "managing key"
  | "session"
  | "feed link"
  | "mail link"
  | "before a handler";

/** Routes outside the dashboard's table, without the patterns of their parameters. */
export const classes: Readonly<Record<string, RouteClass>> = {
  "/healthz": "public",
  "/readyz": "public",
  "/": "public",
  "/docs": "public",
  "/docs/:page": "public",
  "/api/v1/openapi.json": "public",
  "/api/v1/apps": "API key",
  "/api/v1/reviews": "API key",
  "/api/v1/reviews/export": "API key",
  "/api/v1/reviews/:review": "API key",
  "/api/v1/ratings": "API key",
  "/api/v1/trends": "API key",
  "/api/v1/topics": "API key",
  "/api/v1/edits": "API key",
  "/api/v1/ratings/history": "API key",
  "/api/v1/releases": "API key",
  "/api/v1/releases/:version/verdict": "API key",
  "/api/v1/changes": "API key",
  "/api/v1/coverage": "API key",
  "/api/v1/reply-outcomes": "API key",
  "/mcp": "API key and POST",
  "/feeds/:token": "feed link",
  "/mail/confirm/:token": "mail link",
  "/mail/stop/:token": "mail link",
  "/*": "before a handler",
  "/console/api/*": "before a handler",
  "/feeds/*": "before a handler",
  "/mail/*": "before a handler",
  // Counts only with the sealed cookie of this browser: src/features/single-sign-on/sign-in.test.ts
  "/auth/oidc/callback": "public",
  "/auth/*": "before a handler",
};
