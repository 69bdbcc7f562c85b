// The frame around every operation, the same for all doors: one transaction that locks the workspace, reads, checks, writes
// and records in the audit log, and after its commit the effects. An effect that fails is a warning: the work is done.
import type { DatabaseTransaction } from "../database/database.ts";
import { AppError, type ErrorCode, RateLimitedError } from "../domain/error.ts";
import { assertId, notFound } from "../domain/validation-errors.ts";
import { secondMs } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { recordAudit } from "../use-cases/audit.ts";
import { changedFields, toAuditDetail } from "./audit-detail.ts";
import {
  type Actor,
  type Done,
  nameOfActor,
  type Operation,
  type OperationDeps,
  type Place,
  type Thing,
} from "./operation.ts";

export type FrameOptions<T> = {
  actor: Actor;
  /** null: the operator names a thing, and its workspace is locked. */
  workspaceId: string | null;
  /** Rolled back at its end, and without effects: it returns what would have been done. */
  isRehearsal?: boolean;
  /** In the transaction, before and after the work. */
  first?(tx: DatabaseTransaction): Promise<void>;
  last?(tx: DatabaseTransaction, result: T): Promise<void>;
};

export type Expected = {
  versions: readonly number[];
  code: Extract<ErrorCode, "conflict" | "precondition_failed">;
};

export type Request<Input> = {
  input: Input;
  /** In place of the workspace of the frame: one that the frame has made. */
  workspaceId?: string | null;
  /** The thing that exists. */
  id?: string;
  /** The versions that the thing may have, and the code of the refusal when it has another one. */
  expected?: Expected | null;
};

export type Outcome<Result> = {
  result: Result;
  warning: string | null;
  secret?: string;
  isReplacement: boolean;
};

/**
 * Carries out one operation.
 *
 * @throws AppError `not_found` for a thing of another workspace, the code of `expected`, and as the operation
 */
export async function carryOut<Input, Result>(
  deps: OperationDeps,
  operation: Operation<Input, Result>,
  request: Request<Input> & FrameOptions<Outcome<Result>>,
): Promise<Outcome<Result>> {
  const prepared = await prepare(deps, operation, request);
  const { result, warnings } = await openFrame(deps, request, (frame) =>
    frame.run(operation, request, prepared),
  );
  const all = [...(result.warning === null ? [] : [result.warning]), ...warnings];
  return { ...result, warning: all.length > 0 ? all.join("; ") : null };
}

/** The requests of an operation to the outside, before the transaction. */
export async function prepare<Input>(
  deps: OperationDeps,
  operation: Operation<Input>,
  {
    actor,
    workspaceId,
    id = "",
    input,
  }: Request<Input> & Pick<FrameOptions<never>, "actor" | "workspaceId">,
): Promise<unknown> {
  return operation.prepare?.({ deps, actor, place: { workspaceId, id } }, input);
}

export type Frame = {
  tx: DatabaseTransaction;
  run<Input, Result>(
    operation: Operation<Input, Result>,
    request: Request<Input>,
    prepared: unknown,
  ): Promise<Outcome<Result>>;
};

type Effect = () => Promise<unknown>;

/** It locks what it would change, such as apps that others follow, too. */
const rehearsalMsMax = 5 * secondMs;
const longRehearsal = "This takes too long to rehearse: try again, or with fewer changes.";

/** Several operations that take effect together or not at all. */
export async function openFrame<T>(
  deps: OperationDeps,
  options: FrameOptions<T>,
  work: (frame: Frame) => Promise<T>,
): Promise<{ result: T; warnings: string[] }> {
  let effects = new Map<string, Effect>();
  const endsAtMs = deps.clock.now().getTime() + (options.isRehearsal ? rehearsalMsMax : Infinity);
  const result = await transact(deps, options, async (tx) => {
    // The work runs again when it lost against another transaction.
    effects = new Map();
    const { workspaceId } = options;
    if (workspaceId !== null) await lockWorkspace(tx, workspaceId);
    await options.first?.(tx);
    const result = await work({
      tx,
      run(operation, request, prepared) {
        if (deps.clock.now().getTime() > endsAtMs) throw new RateLimitedError(longRehearsal, 10);
        return runInside({ deps, options, tx, effects }, operation, { ...request, prepared });
      },
    });
    await options.last?.(tx, result);
    return result;
  });
  const warnings: string[] = [];
  for (const effect of options.isRehearsal ? [] : effects.values()) {
    try {
      await effect();
    } catch (error) {
      deps.log.error({ reason: String(error) }, "an operation was done, but not what follows it");
      warnings.push("it was done, but a notification could not be sent");
    }
  }
  return { result, warnings };
}

async function runInside<Input, Result>(
  {
    deps,
    options,
    tx,
    effects,
  }: {
    deps: OperationDeps;
    options: FrameOptions<never>;
    tx: DatabaseTransaction;
    effects: Map<string, Effect>;
  },
  operation: Operation<Input, Result>,
  request: Request<Input> & { prepared: unknown },
): Promise<Outcome<Result>> {
  const { id = "", input, expected, prepared } = request;
  const { actor } = options;
  const { clock } = deps;
  const now = clock.now();
  const isThing = !operation.isCreation;
  const known = request.workspaceId ?? options.workspaceId;
  // A creation without a workspace makes one.
  const workspaceId = known ?? (isThing ? await lockWorkspaceOf(tx, operation, id) : uuidV7(now));
  const before = isThing ? await requireThing(tx, operation, { workspaceId, id }) : null;
  if (before && expected) await assertUnchanged(tx, { before, expected });
  const context = { deps, workspaceId, actor, now };
  const done: Done<Result> = await operation.run({ ...context, tx }, { input, before, prepared });
  const { result, detail, warning = null, secret, isReplacement = false } = done;
  const outcome = { result, warning, isReplacement, ...(secret !== undefined && { secret }) };
  if (detail === null) return outcome;
  const subject = { id: done.id ?? before?.id ?? id, workspaceId };
  const by = { clock, actor: nameOfActor(actor), ...(actor.kind === "key" && { keyId: actor.id }) };
  const entry = toAuditDetail(operation, { before, result, detail });
  await recordAudit(by, tx, operation.audit, subject, entry);
  const { notifies, after } = operation;
  if (notifies) effects.set(notifies, () => deps.database.notify(notifies));
  if (after) effects.set(`${effects.size}`, () => after(context, { input, before, result }));
  return outcome;
}

async function lockWorkspace(tx: DatabaseTransaction, id: string): Promise<void> {
  assertId("workspace", id);
  if (!(await tx.lockWorkspace(id))) throw notFound("workspace", id);
}

/** A thing never changes its workspace, so that it can be read before the lock. */
async function lockWorkspaceOf(
  tx: DatabaseTransaction,
  { noun }: Operation,
  id: string,
): Promise<string> {
  if (!noun.isNamed) assertId("id", id);
  const thing = await noun.find(tx, { id, workspaceId: null });
  if (!thing) throw notFound(noun.noun, id);
  await lockWorkspace(tx, thing.workspaceId);
  return thing.workspaceId;
}

const shownMax = 60;

async function requireThing(
  tx: DatabaseTransaction,
  { noun }: Operation,
  place: Place,
): Promise<Thing> {
  if (!noun.isNamed) assertId("id", place.id);
  const thing = await (noun.lock ?? noun.find)(tx, place);
  if (!thing) throw notFound(noun.noun, place.id.slice(0, shownMax));
  return thing;
}

const changesNamedMax = 3;

/** @throws AppError with the code of `expected`, which says who changed what */
async function assertUnchanged(
  tx: DatabaseTransaction,
  { before, expected }: { before: Thing; expected: Expected },
): Promise<void> {
  if (expected.versions.includes(before.version)) return;
  const { id: subject, workspaceId } = before;
  const query = { workspaceId, subject, before: null, limit: changesNamedMax };
  const since = Math.max(0, ...expected.versions);
  const changes = (await tx.listWorkspaceAudit(query)).filter(({ at }) => at.getTime() >= since);
  const named = changes.map(({ actor, action, detail }) => {
    const fields = changedFields(detail).join(", ");
    return `${actor}: ${action}${fields && ` (${fields})`}`;
  });
  const by = named.length > 0 ? ` by ${named.join("; ")}` : "";
  throw new AppError(expected.code, `it was changed since you read it${by}: read it again`);
}

/** What is rolled back needs no feeds and no order: others must not wait for listings that they follow, too. */
function withoutListings({ findListing }: DatabaseTransaction): Partial<DatabaseTransaction> {
  const nothing = async (): Promise<void> => {};
  return { lockListing: findListing, setFeeds: nothing, setLineOfFeeds: nothing };
}

/** Rolls a transaction back and takes its result out. */
class Rehearsed extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("rolled back");
    this.result = result;
  }
}

async function transact<T>(
  { database }: OperationDeps,
  { isRehearsal = false }: FrameOptions<T>,
  work: (tx: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  if (!isRehearsal) return database.transaction(work);
  try {
    return await database.transaction(async (tx): Promise<T> => {
      throw new Rehearsed(await work({ ...tx, ...withoutListings(tx) }));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}
