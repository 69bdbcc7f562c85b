// The parts of a route of the set-up: what it takes and returns, and the use case that it runs.
import { z } from "zod";
import type { DatabaseTransaction } from "../../database/database.ts";
import { notFound } from "../../domain/validation-errors.ts";
import type { Expected, FrameOptions } from "../../operations/frame.ts";
import type { Noun, Operation, OperationDeps } from "../../operations/operation.ts";
import type { Resource, ResourceDeps, View } from "../../operations/resource.ts";
import { flag } from "../parameters.ts";

export type ManageContext<Query = unknown> = {
  deps: ResourceDeps;
  operationDeps: OperationDeps;
  /** For the frame of an operation. */
  frame: FrameOptions<never> & {
    workspaceId: string;
    expected: Expected | null;
    /** Keeps the answer for a request that is sent again. */
    save(tx: DatabaseTransaction, answer: ManageAnswer): Promise<void>;
  };
  workspaceId: string;
  /** The id of the thing that the path names; "" where it names none. */
  id: string;
  body: unknown;
  query: Query;
};

/** The fields of the answer, and the thing that the ETag is made from. */
export type ManageAnswer = {
  body: Record<string, unknown> | null;
  tagged?: View;
  etag?: string;
  createdId?: string;
};

export type ManageRoute<Query extends z.ZodObject = z.ZodObject> = {
  method: "get" | "post" | "patch" | "delete";
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The thing in the path; its existence and `If-Match` are checked. */
  resource: Resource | null;
  thing?: Noun | null;
  operation?: Operation;
  status: 200 | 201 | 204;
  body: z.ZodType | null;
  answer: z.ZodType;
  bodyBytesMax?: number;
  query: Query;
  /** Makes the service send something elsewhere. */
  isSending?: true;
  handle(context: ManageContext<z.infer<Query>>): Promise<ManageAnswer>;
};

/** Ties a handler to the type of its query, which the service has parsed. */
export function manageRoute<Query extends z.ZodObject>(route: ManageRoute<Query>): ManageRoute {
  return route as unknown as ManageRoute;
}

export const warningSchema = z
  .string()
  .nullable()
  .describe("Something to know about a valid setting; null when there is nothing.");
/** The answer to a rehearsal of a deletion. */
export const rehearsalAnswer = z.object({ isDryRun: z.boolean() }).meta({ id: "Rehearsal" });
export const secretSchema = z.string().describe("Webhooks: what their deliveries are signed with.");
export const noQuery = z.object({});
const dryRun = flag("`true`: everything is checked and nothing is done; the status is 200.");
export const writeQuery = z.object({ dryRun });

/** @throws AppError `not_found`, the same for a thing of another workspace */
export async function findView(
  resource: Resource,
  database: Parameters<Resource["list"]>[0],
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<View> {
  const views = await resource.list(database, workspaceId);
  const found = views.find((view) => view.id === id);
  if (!found) throw notFound(resource.noun, id);
  return found;
}
