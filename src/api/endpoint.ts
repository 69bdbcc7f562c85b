// What an endpoint of the read API is: its parameters, its response, and how the one is made from the other.
// Authorization, rate limit, caching and errors are the same for all: see request-handler.ts.
import type { z } from "@hono/zod-openapi";
import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import type { App } from "../domain/listing.ts";
import { isUuid } from "../lib/uuid.ts";
import type { Cursors } from "./cursor.ts";
import type { ProblemCode } from "./problem.ts";

export type ReadDatabase = Pick<
  Database,
  | "countTopics"
  | "countWeeks"
  | "findApp"
  | "findFirstReviewDayOfApp"
  | "listApps"
  | "listReviewPage"
  | "listSnapshotsAsOf"
>;

/** The response depends on nothing else, so it can be cached by workspace and query. */
export type EndpointRequest<Query> = {
  database: ReadDatabase;
  cursors: Cursors;
  now: Date;
  workspaceId: string;
  query: Query;
};

export type Endpoint<Parameters extends z.ZodObject, Body extends z.ZodObject> = {
  /** Below the base path. */
  path: string;
  parameters: Parameters;
  responseSchema: Body;
  handle(request: EndpointRequest<z.infer<Parameters>>): Promise<z.infer<Body> | PreSerializedJson>;
  /** For the documentation. */
  id: string;
  summary: string;
  description: string;
  example: z.infer<Body>;
  problems: readonly ProblemCode[];
};

/** A body that PostgreSQL wrote as JSON. Tests hold it to the schema, as the types can't. */
export class PreSerializedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Ties the types of an endpoint to each other. */
export function defineEndpoint<Parameters extends z.ZodObject, Body extends z.ZodObject>(
  endpoint: Endpoint<Parameters, Body>,
): Endpoint<Parameters, Body> {
  return endpoint;
}

/** @throws AppError `app_not_found`, the same for unknown, malformed and foreign ids */
export async function requireApp(
  database: Pick<Database, "findApp">,
  query: { id: string; workspaceId: string },
): Promise<App> {
  const app = isUuid(query.id) ? await database.findApp(query) : null;
  if (!app) {
    throw new AppError("app_not_found", "There is no app with this id in your workspace.");
  }
  return app;
}
