// Operations that no transaction can hold: a read that leaves the house as a stream, and work on a file that is saved batch by
// batch. A read is recorded before its first byte leaves. The entry about work is written in the transaction that saves
// something first, so that work that is killed is recorded and work that saves nothing is not; its counts are added at the end.
import type { z } from "zod";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import { assertId, notFound } from "../domain/validation-errors.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { recordAudit } from "../use-cases/audit.ts";
import {
  type Actor,
  authorOf,
  type Noun,
  type Operation,
  type OperationContext,
  type OperationDeps,
  type Resource,
  type ResourceRef,
  type Traits,
  toOperation,
} from "./operation.ts";

type Subject = { id: string; workspaceId: string; name?: string };

/** The entry of the audit log about one resource. */
export type WorkEntry = {
  /** Its first transaction writes the entry. */
  database: Database;
  /** Adds what was done, where anything was saved. */
  end(detail: Record<string, unknown>): Promise<void>;
};

export type WorkContext = Pick<OperationContext, "deps" | "actor" | "now"> & {
  database: Database;
  open(subject: Subject): WorkEntry;
  /** A change that is part of the work, by itself. */
  change<Input, Result>(
    operation: Operation<Input, Result>,
    request: { id: string; input: Input },
  ): Promise<Result>;
};

/** Hands the resource to the door, which streams what it reads of it. */
export function reading<Row extends Resource, Schema extends z.ZodType = z.ZodUndefined>(
  noun: Noun<Row>,
  definition: Traits & { schema?: Schema },
): Operation<z.output<Schema>, Row> {
  return toOperation({ ...definition, noun, kind: "read", target: "one", keepsVersion: true });
}

/** Is done to a resource that exists, which it leaves as it is. */
export function work<Row extends Resource, Input, Result>(
  noun: Noun<Row>,
  definition: Traits & {
    schema: z.ZodType<Input>;
    work(context: WorkContext, request: { input: Input; before: Row }): Promise<Result>;
  },
): Operation<Input, Result> {
  return toOperation({ ...definition, noun, kind: "work", target: "one", keepsVersion: true });
}

/** Makes a resource. */
export function workOfCreation<Row extends Resource, Input, Result>(
  noun: Noun<Row>,
  definition: Traits & {
    schema: z.ZodType<Input>;
    work(context: WorkContext, request: { input: Input; before: null }): Promise<Result>;
  },
): Operation<Input, Result> {
  return toOperation({ ...definition, noun, kind: "work", target: "new" });
}

type LongRequest<Input> = {
  actor: Actor;
  workspaceId?: string | null;
  id?: string;
  input: Input;
};

/**
 * The resource, once the read is recorded.
 *
 * @throws AppError `not_found`
 */
export async function recordReading<Input, Row>(
  { clock, database }: Pick<OperationDeps, "clock" | "database">,
  operation: Operation<Input, Row>,
  { actor, workspaceId = null, id = "", input }: LongRequest<Input>,
): Promise<Row> {
  const resource = await requireResource(database, operation, { workspaceId, id });
  const author = authorOf(actor, clock.now());
  const { name } = operation.noun.toView(resource);
  const detail = { ...(typeof name === "string" && { name }), ...Object(input) };
  await recordAudit(author, database, operation.audit, resource, detail);
  return resource as Row;
}

/** @throws AppError as the operation */
export async function carryOutLong<Input, Result>(
  deps: OperationDeps,
  operation: Operation<Input, Result>,
  request: LongRequest<Input>,
  change: WorkContext["change"],
): Promise<{ result: Result; warning: string | null }> {
  if (operation.kind === "read")
    return { result: await recordReading(deps, operation, request), warning: null };
  const { workspaceId = null, id = "", input, actor } = request;
  const { database } = deps;
  const isResource = operation.target === "one";
  const before = isResource
    ? await requireResource(database, operation, { workspaceId, id })
    : null;
  const now = deps.clock.now();
  const warnings: string[] = [];
  const open = (subject: Subject) => openEntry(deps, operation, { subject, actor, now, warnings });
  const context: WorkContext = { deps, database, actor, now, open, change };
  if (!operation.work) throw new Error(`${operation.audit} is not long work`);
  const result = await operation.work(context, { input, before });
  return { result, warning: warnings.length > 0 ? warnings.join("; ") : null };
}

function openEntry(
  { database, log }: OperationDeps,
  operation: Operation,
  entry: { subject: Subject; actor: Actor; now: Date; warnings: string[] },
): WorkEntry {
  const { subject, actor, now, warnings } = entry;
  const { name, ...keys } = subject;
  const id = uuidV7(now);
  let isWritten = false;
  const write = async (tx: DatabaseTransaction): Promise<void> => {
    const detail = name === undefined ? {} : { name };
    await recordAudit({ ...authorOf(actor, now), id }, tx, operation.audit, keys, detail);
  };
  const transaction: Database["transaction"] = async (run) => {
    if (isWritten) return database.transaction(run);
    const result = await database.transaction(async (tx) => {
      await write(tx);
      return run(tx);
    });
    isWritten = true;
    return result;
  };
  return {
    database: { ...database, transaction },
    async end(detail) {
      if (!isWritten) return;
      try {
        await database.addAuditDetail({ id, detail });
      } catch (error) {
        // Its rows are saved, and their entry is: the result must be reported whatever happens now.
        log.error(
          { reason: String(error) },
          "the counts of an import are missing in the audit log",
        );
        warnings.push("the audit log lacks its counts");
      }
    },
  };
}

async function requireResource(
  database: DatabaseTransaction,
  { noun }: Operation,
  ref: ResourceRef,
): Promise<Resource> {
  if (!noun.isNamed) assertId("id", ref.id);
  const resource = await noun.find(database, ref);
  if (!resource) throw notFound(noun.noun, ref.id);
  return resource;
}
