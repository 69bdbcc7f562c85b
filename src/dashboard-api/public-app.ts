// A part of the service that people and programs reach without signing in, by a secret in the link.
import { Hono } from "hono";
import { problemResponse } from "../http/problem.ts";
import { type ContentSecurityPolicy, securityHeaders } from "../http/security-headers.ts";
import { uuidV7 } from "../lib/uuid.ts";
import type { DashboardDeps } from "./deps.ts";
import { toProblem } from "./problem.ts";

export function createPublicApp(deps: DashboardDeps, allowed: ContentSecurityPolicy = {}): Hono {
  const { clock, log } = deps;
  const app = new Hono();
  app.use(
    securityHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        ...allowed,
        frameAncestors: ["'none'"],
      },
      referrerPolicy: "no-referrer",
    }),
  );
  app.onError((error) => problemResponse(toProblem(error, uuidV7(clock.now())), { log, error }));
  return app;
}
