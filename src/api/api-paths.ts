// Paths beside those of the read API, for its keys: features hand them in.
import type { Context, Hono } from "hono";
import type { OpenRateLimit } from "../http/rate-limit.ts";
import type { ApiContext } from "./request-handler.ts";

export type ApiPath = {
  path: string;
  /** The handler of all its methods; `app` answers requests of the read API. */
  create(
    api: ApiContext,
    server: { app: Hono; openRateLimit: OpenRateLimit },
  ): (context: Context) => Promise<Response>;
};

/** A table: features add theirs. */
export const apiPaths: ApiPath[] = [];
