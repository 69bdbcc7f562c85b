// The parts of the service beside the dashboard that people and programs reach without signing in.
import type { Hono } from "hono";
import type { DashboardDeps } from "./deps.ts";
import { createMailLinks } from "./mail-links.ts";

export type PublicPart = {
  /** Before all of its paths. */
  path: string;
  /** It gets the database's `control()`. */
  create(deps: DashboardDeps): Hono;
};

/** A table: features add theirs. */
export const publicParts: PublicPart[] = [{ path: "/mail", create: createMailLinks }];
