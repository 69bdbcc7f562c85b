// What an endpoint of the read API is: its parameters, its answer, and how the one comes from the
// other. Who may ask, how often, and how the answer travels is the same for all and lives in serve.ts.
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

/** One question of one workspace; `answer` depends on nothing else, so it can be kept for a while. */
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
  handle(question: EndpointRequest<z.infer<Parameters>>): Promise<z.infer<Body> | PreSerializedJson>;
  /** For the documentation. */
  id: string;
  summary: string;
  description: string;
  example: z.infer<Body>;
  problems: readonly ProblemCode[];
};

/** A body that is JSON already. Tests hold it to the schema, as the types can't. */
export class PreSerializedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Fixes the types of an endpoint to each other. */
export function defineEndpoint<Parameters extends z.ZodObject, Body extends z.ZodObject>(
  endpoint: Endpoint<Parameters, Body>,
): Endpoint<Parameters, Body> {
  return endpoint;
}

/** @throws AppError `app_not_found`, the same for unknown, malformed and foreign ids */
export async function requireApp(
  database: Pick<Database, "findApp">,
  scope: { id: string; workspaceId: string },
): Promise<App> {
  const app = isUuid(scope.id) ? await database.findApp(scope) : null;
  if (!app) {
    throw new AppError("app_not_found", "There is no app with this id in your workspace.");
  }
  return app;
}
