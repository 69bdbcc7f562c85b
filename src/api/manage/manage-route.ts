// The parts of a route of the set-up: what it takes and returns, and the operation that it carries out.
import { z } from "zod";
import type { DatabaseTransaction } from "../../database/database.ts";
import type { Expected, FrameOptions } from "../../operations/frame.ts";
import type { Noun, Operation, OperationDeps, ReceivedFile } from "../../operations/operation.ts";
import { flag } from "../parameters.ts";

export type ManageContext<Query = unknown> = {
  deps: OperationDeps;
  /** For the frame of an operation, with what the request expects of the resource. */
  frame: Omit<FrameOptions<never>, "last"> & { workspaceId: string; expected: Expected | null };
  /** Keeps the answer for a request that is sent again. */
  saveAnswer(tx: DatabaseTransaction, answer: ManageAnswer): Promise<void>;
  workspaceId: string;
  /** The id of the resource that the path names; "" where it names none. */
  id: string;
  body: unknown;
  /** The file of a route that takes one, in place of the body. */
  file: ReceivedFile | null;
  query: Query;
};

/** The fields of the answer, its tag, and the id of what was made. */
export type ManageAnswer = {
  body: Record<string, unknown> | null;
  etag?: string;
  createdId?: string;
};

export type ManageRoute<Query extends z.ZodObject = z.ZodObject> = {
  method: "get" | "post" | "patch" | "delete";
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The noun of the resource in the path. */
  resource?: Noun | null;
  operation?: Operation;
  status: 200 | 201 | 204;
  body: z.ZodType | null;
  answer: z.ZodType;
  bodyBytesMax?: number;
  query: Query;
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
