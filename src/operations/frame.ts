// The frame around every operation, the same for all doors: one transaction that locks the workspace, reads, checks, writes
// and records in the audit log, and after its commit the effects. An effect that fails is a warning: the work is done.
import type { DatabaseTransaction } from "../database/database.ts";
import { AppError, type ErrorCode, RateLimitedError } from "../domain/error.ts";
import { assertId, notFound } from "../domain/validation-errors.ts";
import { secondMs } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { recordAudit } from "../use-cases/audit.ts";
import { changedFields, toAuditDetail } from "./audit-detail.ts";
import { carryOutLong } from "./long-work.ts";
import {
  type Actor,
  authorOf,
  type Done,
  type DoneToMany,
  type Noun,
  type Operation,
  type OperationContext,
  type OperationDeps,
  type Resource,
  type ResourceRef,
} from "./operation.ts";
import { nouns } from "./operations.ts";

export type FrameOptions<T> = {
  actor: Actor;
  /** null: the operator names a resource, and its workspace is locked. */
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
  /** The resource that exists. */
  id?: string;
  /** The versions that the resource may have, and the code of the refusal when it has another one. */
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
 * @throws AppError `not_found` for a resource of another workspace, the code of `expected`, and as the operation
 */
export async function carryOut<Input, Result>(
  deps: OperationDeps,
  operation: Operation<Input, Result>,
  request: Request<Input> & FrameOptions<Outcome<Result>>,
): Promise<Outcome<Result>> {
  if (operation.kind !== "change") {
    const { actor } = request;
    const done = await carryOutLong(deps, operation, request, async (change, of) => {
      const { result } = await carryOut(deps, change, { ...of, actor, workspaceId: null });
      return result;
    });
    return { ...done, isReplacement: false };
  }
  const { actor, workspaceId, id = "", input } = request;
  const { database } = deps;
  const ref = { workspaceId, id };
  const prepared = await operation.prepare?.({ deps, database, actor, ref }, input);
  const { result, warnings } = await openFrame(deps, request, (frame) =>
    frame.run(operation, request, prepared),
  );
  const all = [...(result.warning === null ? [] : [result.warning]), ...warnings];
  return { ...result, warning: all.length > 0 ? all.join("; ") : null };
}

export type Frame = {
  tx: DatabaseTransaction;
  /** @param prepared the result of its `prepare`, which is called here without it */
  run<Input, Result>(
    operation: Operation<Input, Result>,
    request: Request<Input>,
    prepared?: unknown,
  ): Promise<Outcome<Result>>;
};

type Effect = () => Promise<unknown>;
/** What the operations of one frame leave for its end. */
type Left = {
  /** Before the commit, by the name of the rule. */
  rules: Map<string, () => Promise<void>>;
  /** After the commit. */
  effects: Map<string, Effect>;
};

const rehearsalMsMax = 5 * secondMs;
const otherRehearsal = "Another rehearsal of this workspace is under way.";
const longRehearsal = "This takes too long to rehearse: try again, or with fewer changes.";

/** Several operations that take effect together or not at all. */
export async function openFrame<T>(
  deps: OperationDeps,
  options: FrameOptions<T>,
  work: (frame: Frame) => Promise<T>,
): Promise<{ result: T; warnings: string[] }> {
  let left: Left = { rules: new Map(), effects: new Map() };
  const endsAtMs = deps.clock.now().getTime() + (options.isRehearsal ? rehearsalMsMax : Infinity);
  const result = await transact(deps, options, async (tx) => {
    // The work runs again when it lost against another transaction.
    left = { rules: new Map(), effects: new Map() };
    const { workspaceId } = options;
    if (workspaceId !== null) await lockWorkspace(tx, workspaceId);
    await options.first?.(tx);
    const result = await work({
      tx,
      async run(operation, request, prepared) {
        if (deps.clock.now().getTime() > endsAtMs) throw new RateLimitedError(longRehearsal, 10);
        return runInside({ deps, options, tx, left }, operation, { ...request, prepared });
      },
    });
    for (const check of left.rules.values()) await check();
    await options.last?.(tx, result);
    return result;
  });
  const warnings: string[] = [];
  for (const effect of options.isRehearsal ? [] : left.effects.values()) {
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
    left,
  }: {
    deps: OperationDeps;
    options: FrameOptions<never>;
    tx: DatabaseTransaction;
    left: Left;
  },
  operation: Operation<Input, Result>,
  request: Request<Input> & { prepared: unknown },
): Promise<Outcome<Result>> {
  const { id = "", input, expected } = request;
  const { actor } = options;
  const now = deps.clock.now();
  const isResource = operation.target === "one";
  const known = request.workspaceId ?? options.workspaceId;
  if (operation.target === "many" && known === null) throw new Error("which workspace is missing");
  // A creation without a workspace makes one.
  const workspaceId =
    known ?? (isResource ? await lockWorkspaceOf(tx, operation, id) : uuidV7(now));
  const before = isResource ? await requireResource(tx, operation, { workspaceId, id }) : null;
  if (before && expected) await assertUnchanged(tx, { operation, before, expected });
  const {
    prepared = await prepareInside({ deps, tx, actor }, operation, { workspaceId, id, input }),
  } = request;
  const context = { deps, workspaceId, actor, now };
  const inside: OperationContext = {
    ...context,
    tx,
    finally: (rule, check) => void left.rules.set(rule, check),
  };
  const done = await operation.run(inside, { input, before, prepared });
  const by = authorOf(actor, now);
  const entries = listEntries(done, { before, id });
  const ofWorkspace = operation.noun.isShared ? null : workspaceId;
  for (const { id, ...entry } of entries) {
    const detail = toAuditDetail(operation, entry);
    await recordAudit(by, tx, operation.audit, { id, workspaceId: ofWorkspace }, detail);
  }
  const outcome = toOutcome(done);
  if (entries.length === 0) return outcome;
  const { result } = done;
  const { notifies, after } = operation;
  const { effects } = left;
  if (notifies) effects.set(notifies, () => deps.database.notify(notifies));
  if (after) effects.set(`${effects.size}`, () => after(context, { input, before, result }));
  return outcome;
}

/** In the transaction of a larger work, which has prepared the requests to the outside. */
async function prepareInside<Input>(
  { tx, ...context }: Pick<OperationContext, "deps" | "tx" | "actor">,
  operation: Operation<Input>,
  { input, ...ref }: ResourceRef & { input: Input },
): Promise<unknown> {
  return operation.prepare?.({ ...context, database: tx, ref }, input);
}

type Entry = {
  id: string;
  before: Resource | null;
  result: unknown;
  detail: Record<string, unknown>;
};

/** For the audit log. */
function listEntries(
  done: Done<unknown> | DoneToMany<Resource, unknown>,
  { before, id }: { before: Resource | null; id: string },
): Entry[] {
  if ("entries" in done) return done.entries.map((entry) => ({ ...entry, id: entry.before.id }));
  const { result, detail } = done;
  return detail === null ? [] : [{ id: done.id ?? before?.id ?? id, before, result, detail }];
}

function toOutcome<Result>(done: Done<Result> | DoneToMany<Resource, Result>): Outcome<Result> {
  const { result } = done;
  if ("entries" in done) return { result, warning: null, isReplacement: false };
  const { warning = null, secret, isReplacement = false } = done;
  return { result, warning, isReplacement, ...(secret !== undefined && { secret }) };
}

async function lockWorkspace(tx: DatabaseTransaction, id: string): Promise<void> {
  assertId("workspace", id);
  if (!(await tx.lockWorkspace(id))) throw notFound("workspace", id);
}

/** A resource never changes its workspace, so that it can be read before the lock. */
async function lockWorkspaceOf(
  tx: DatabaseTransaction,
  { noun }: Operation,
  id: string,
): Promise<string> {
  if (!noun.isNamed) assertId("id", id);
  const resource = await noun.find(tx, { id, workspaceId: null });
  if (!resource) throw notFound(noun.noun, id);
  if (!noun.isShared) await lockWorkspace(tx, resource.workspaceId);
  return resource.workspaceId;
}

const shownMax = 60;

async function requireResource(
  tx: DatabaseTransaction,
  { noun }: Operation,
  ref: ResourceRef,
): Promise<Resource> {
  if (!noun.isNamed) assertId("id", ref.id);
  const resource = await (noun.lock ?? noun.find)(tx, ref);
  if (!resource) throw notFound(noun.noun, ref.id.slice(0, shownMax));
  return resource;
}

const changesNamedMax = 3;

/** The actions of the audit log after which a resource has another version: a note changes its review. */
function listChangingActions({ noun }: Noun): string[] {
  return nouns
    .flatMap(({ operations }) => operations)
    .filter(({ audit, keepsVersion }) => audit.startsWith(`${noun}.`) && !keepsVersion)
    .map(({ audit }) => audit);
}

/** @throws AppError with the code of `expected`, which says who changed what */
async function assertUnchanged(
  tx: DatabaseTransaction,
  { operation, before, expected }: { operation: Operation; before: Resource; expected: Expected },
): Promise<void> {
  if (expected.versions.includes(before.version)) return;
  const { id: subject, workspaceId } = before;
  const since = Math.max(0, ...expected.versions);
  const entries = await tx.listWorkspaceAudit({
    workspaceId,
    subject,
    before: null,
    actions: listChangingActions(operation.noun),
    since: new Date(since),
    limit: changesNamedMax + 1,
  });
  // The oldest of that moment made the version that was read.
  const read = entries.findLast(({ at }) => at.getTime() === since);
  const changes = entries.filter((entry) => entry !== read).slice(0, changesNamedMax);
  const named = changes.map(({ actor, action, detail }) => {
    const fields = changedFields(detail).join(", ");
    return `${actor}: ${action}${fields && ` (${fields})`}`;
  });
  const by = named.length > 0 ? ` by ${named.join("; ")}` : "";
  throw new AppError(expected.code, `it was changed since you read it${by}: read it again`);
}

/**
 * The transaction of a rehearsal: nothing else differs from that of the run. It needs no feeds and no order, so it
 * locks neither the workspace nor listings that others follow or add at the same moment. A new listing is the workspace's
 * own until then.
 */
function toRehearsal(tx: DatabaseTransaction, workspaceId: string | null): DatabaseTransaction {
  const nothing = async (): Promise<void> => {};
  return {
    ...tx,
    lockWorkspace: async (id) => (await tx.findWorkspace(id)) !== null,
    lockWorkspaceName: nothing,
    lockListing: tx.findListing,
    ensureListing: async (listing) =>
      (await tx.findListingBySource(listing)) ??
      tx.ensureListing({ ...listing, workspaceId: listing.workspaceId ?? workspaceId }),
    saveListingDetails: nothing,
    removeUnusedListing: async () => true,
    setFeeds: nothing,
    setLineOfFeeds: nothing,
  };
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
  { isRehearsal = false, workspaceId }: FrameOptions<T>,
  work: (tx: DatabaseTransaction) => Promise<T>,
): Promise<T> {
  if (!isRehearsal) return database.transaction(work);
  try {
    return await database.transaction(async (tx): Promise<T> => {
      if (workspaceId !== null && !(await tx.lockRehearsal(workspaceId)))
        throw new RateLimitedError(otherRehearsal, rehearsalMsMax / secondMs);
      throw new Rehearsed(await work(toRehearsal(tx, workspaceId)));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}
