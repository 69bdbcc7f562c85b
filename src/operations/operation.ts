// The table of operations: each change that people and programs make in a workspace is described once, and the doors
// (dashboard, write API, command line, `apply`) are loops over it.
//
// To move a noun here: describe it with `defineNoun` (how it is found, listed and shown), then each verb with `creation`
// or `action`. `run` gets a parsed input and, for a resource that exists, the row as it is under the workspace's lock; it
// checks, writes and returns the detail of the audit entry. Requests to the outside belong into `prepare`, before the
// transaction; mails into `after`. The frame (`frame.ts`) does the rest; exports and imports have their own, without one
// transaction (`long-work.ts`). List the verbs in `operations.ts`, put
// `operate(…)` into the dashboard's routes and the command, and delete the use case with its transaction.
import { z } from "zod";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { ChangeTopic } from "../database/platform/change-notifications.ts";
import type { Channel } from "../domain/channel/channel.ts";
import type { NewDelivery } from "../domain/channel/delivery.ts";
import { systemActor } from "../domain/people/audit.ts";
import type { MemberRole, User } from "../domain/people/user.ts";
import type { WorkspaceLimits } from "../domain/people/workspace.ts";
import type { ProviderConfig } from "../domain/review/provider.ts";
import type { StoreId } from "../domain/store/store-id.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { SecretBox } from "../lib/secret-box.ts";
import type { StoreAppLookup } from "../use-cases/apps/store-lookup.ts";
import type { Actor as Author } from "../use-cases/audit.ts";
import type { CheckUrl } from "../use-cases/channels/parse-destination.ts";
import type { IngestOfImports } from "../use-cases/ingest-of-imports.ts";
import type { SendServiceMail } from "../use-cases/service-mail.ts";

/** The actor: a signed-in user, a program with a key, the operator at the command line, or Starpost by itself. */
export type Actor =
  | {
      kind: "user";
      user: Pick<User, "id" | "name" | "email">;
      role: MemberRole;
      client: { address: string; browser: string };
      /** @throws AppError `reauthentication_required` when the password was entered too long ago */
      assertRecentProof(): void;
    }
  | { kind: "key"; id: string; name: string }
  | { kind: "operator"; name: string }
  | { kind: "system" };

export type OperationDeps = {
  clock: Clock;
  log: Log;
  database: Database;
  secretBox: Pick<SecretBox, "open" | "seal">;
  /** How long the secret before a rotation signs as well. */
  secretOverlapMs?: number;
  workspaceLimits?: WorkspaceLimits;
  ownedWorkspacesMax?: number;
  checkUrl: CheckUrl;
  /** Loaded by the operations that ask a store. */
  loadStores(): Promise<Readonly<Record<StoreId, StoreAppLookup>>>;
  /** The ingest of imports, which the command line loads. */
  loadIngest?(): Promise<IngestOfImports>;
  composeTest: (channel: Channel) => NewDelivery;
  /** Makes the secret of a new webhook; random without it. */
  createSigningSecret?: () => string;
  /** The settings of translation; without it there are no warnings. */
  providers?: readonly ProviderConfig[];
  /** Signs the links in e-mails. */
  signingKey: Buffer;
  /** null without a mail server and PUBLIC_URL. */
  sendMail: SendServiceMail | null;
  /** `replies`: whether answers are sent to stores; they are without it. */
  settings: { publicUrl: string | null; replies?: "on" | "off" };
};

/** A resource of a workspace. Its version rises with every change that people make, and with nothing else. */
export type Resource = { id: string; workspaceId: string; version: number };

/** A resource as a program sees it, without its secrets. Dates are timestamps. */
export type View = { readonly id: string } & Readonly<Record<string, unknown>>;

/** `workspaceId` is null for the operator, who sees all workspaces. */
export type ResourceRef = { workspaceId: string | null; id: string };

export type Noun<Row extends Resource = Resource> = {
  noun:
    | "app"
    | "channel"
    | "delivery"
    | "topic"
    | "review"
    | "note"
    | "notice"
    | "view"
    | "credential"
    | "key"
    | "link"
    | "member"
    | "invitation"
    | "workspace"
    | "incident"
    | "SQL user"
    | "reply"
    | "template";
  plural: string;
  /** The first part of its paths in the write API. */
  path: string;
  /** The last part of the path of one, where the read API has the path without it. */
  part?: string;
  /** Whether its resources belong to the installation: `workspaceId` is empty, and their entries name no workspace. */
  isShared?: true;
  /** Whether people may write its name in place of its id. */
  isNamed?: true;
  find(database: DatabaseTransaction, ref: ResourceRef): Promise<Row | null>;
  /** Reads it for a change; `find` unless more than the workspace has to be locked. */
  lock?(tx: DatabaseTransaction, ref: ResourceRef): Promise<Row | null>;
  /** Left out where there may be very many. */
  list?(database: DatabaseTransaction, workspaceId: string): Promise<readonly Row[]>;
  toView(row: Row): View;
  /** The view: the resource as it is read. */
  viewSchema: z.ZodObject | null;
};

/** Without the database: inside of the frame everything goes through its transaction. */
type FrameDeps = Omit<OperationDeps, "database">;

export type OperationContext = {
  deps: FrameDeps;
  tx: DatabaseTransaction;
  workspaceId: string;
  actor: Actor;
  now: Date;
  /**
   * A rule for the workspace as it is in the end, such as a limit: checked once before the commit, after all steps of a work of
   * several. Rules of one name are one rule.
   */
  finally(rule: string, check: () => Promise<void>): void;
};

/** After the commit. */
export type AfterContext = Omit<OperationContext, "deps" | "tx" | "finally"> & {
  deps: OperationDeps;
};

/** The result of a run. */
export type Done<Result> = {
  result: Result;
  /** The resource that the audit log names: by default the one that existed before. */
  id?: string;
  /** Whether a creation changed a resource of that name instead. */
  isReplacement?: boolean;
  /** For the audit log; null when there was nothing to do. */
  detail: Record<string, unknown> | null;
  /** Something to know about a valid setting. */
  warning?: string | null;
  /** A secret that was made, which is shown this once. */
  secret?: string;
};

/** The result of a run on several resources. */
export type DoneToMany<Row extends Resource, Result> = {
  result: Result;
  /** For the audit log, one of each resource that was changed. */
  entries: readonly { before: Row; result: Row; detail: Record<string, unknown> }[];
};

/** How often an operation may be called in one minute: for its workspace, or for the resource. */
type OperationLimit = { perMinute: number; by: "workspace" | "resource" };

export const bodyBytesMaxDefault = 64 * 1024;

/** A file that a door receives, while it arrives. */
export type ReceivedFile = {
  chunks: AsyncIterable<Uint8Array>;
  /** Nothing is saved: a dry run. */
  isTrial: boolean;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** Called now and then once nothing can be refused any more. */
  onProgress(rowCount: number): void;
};

/** The body is a file, and the fields are in the query. */
export type FileTrait = {
  bytesMax: number;
  fields: z.ZodObject;
  toInput(fields: Record<string, unknown>, file: ReceivedFile): unknown;
};

export type Traits = {
  verb: string;
  /** In words, for the description of the API. */
  summary: string;
  description?: string;
  /** The least role of a member; null: the operator alone. */
  role: MemberRole | null;
  /** The scope of keys that may; without it no key may. */
  scope?: "manage";
  /** Needs a password that was entered a short while ago: secrets, members, deletion. */
  isSensitive?: true;
  /** It leaves the resource as it is, and its version. */
  keepsVersion?: true;
  /** Sends something to others, which all such operations together are limited for. */
  isSending?: true;
  limits?: readonly OperationLimit[];
  /** Larger bodies are refused before they are parsed; by default 64 kB, for a key file or a long list of apps. */
  bodyBytesMax?: number;
  /** Takes a file; a command opens its own. */
  file?: FileTrait;
  /** The action in the audit log. */
  audit: string;
  /** In the write API: its name, and the fields of the answer; without it the answer is the resource. */
  output?: { operationId: string; schema: z.ZodObject };
  /** The workers that are notified after the commit. */
  notifies?: ChangeTopic;
};

type Definition<
  Schema extends z.ZodType,
  Before,
  Result,
  Prepared,
  Ended = Done<Result>,
> = Traits & {
  /** Without it nothing is entered. */
  schema?: Schema;
  /** Asks the outside, before the transaction or inside of that of a larger work. No read of `database` is relied on. */
  prepare?(
    context: Pick<OperationContext, "deps" | "actor"> & {
      database: DatabaseTransaction;
      ref: ResourceRef;
    },
    input: z.output<Schema>,
  ): Promise<Prepared>;
  run(
    context: OperationContext,
    request: { input: z.output<Schema>; before: Before; prepared: Prepared },
  ): Promise<Ended>;
  /** After the commit. A failure is a warning: the work is done. */
  after?(
    context: AfterContext,
    done: { input: z.output<Schema>; before: Before; result: Result },
  ): Promise<unknown>;
};

export type Operation<Input = unknown, Result = unknown> = Traits & {
  noun: Noun;
  /** A change runs in one transaction, see `frame.ts`; the others in none or several, see `long-work.ts`. */
  kind: "change" | "read" | "work";
  schema: z.ZodType<Input>;
  /** Whether it makes a resource, is done to one, or to several that its input names. */
  target: "new" | "one" | "many";
  prepare?(context: object, input: Input): Promise<unknown>;
  run(
    context: OperationContext,
    request: object,
  ): Promise<Done<Result> | DoneToMany<Resource, Result>>;
  /** In place of `run`, of the kind `work`. */
  work?(context: object, request: object): Promise<Result>;
  after?(context: object, done: object): Promise<unknown>;
};

export function defineNoun<Row extends Resource>(noun: Noun<Row>): Noun<Row> {
  return noun;
}

/** `find` of a noun whose few resources are read together; the operator names none of them. */
export function findAmong<Row extends Resource>(
  list: NonNullable<Noun<Row>["list"]>,
): Noun<Row>["find"] {
  return async (database, { id, workspaceId }) => {
    const rows = workspaceId === null ? [] : await list(database, workspaceId);
    return rows.find((row) => row.id === id.toLowerCase()) ?? null;
  };
}

/** A noun without a list has none. */
export async function listResources<Row extends Resource>(
  { list }: Noun<Row>,
  database: DatabaseTransaction,
  workspaceId: string,
): Promise<readonly Row[]> {
  return list ? list(database, workspaceId) : [];
}

/** Makes a resource of the noun. */
export function creation<
  Row extends Resource,
  Result,
  Schema extends z.ZodType = z.ZodUndefined,
  Prepared = undefined,
>(
  noun: Noun<Row>,
  definition: Definition<Schema, null, Result, Prepared>,
): Operation<z.output<Schema>, Result> {
  return toOperation({ ...definition, noun, target: "new" });
}

/** Is done to a resource that exists. */
export function action<
  Row extends Resource,
  Result,
  Schema extends z.ZodType = z.ZodUndefined,
  Prepared = undefined,
>(
  noun: Noun<Row>,
  definition: Definition<Schema, Row, Result, Prepared>,
): Operation<z.output<Schema>, Result> {
  return toOperation({ ...definition, noun, target: "one" });
}

/** Is done to several resources in one go, or to none. */
export function collective<Row extends Resource, Result, Schema extends z.ZodType>(
  noun: Noun<Row>,
  definition: Definition<Schema, null, Result, undefined, DoneToMany<Row, Result>>,
): Operation<z.output<Schema>, Result> {
  return toOperation({ ...definition, noun, target: "many" });
}

// The frame hands each run the row of its own noun, the input of its own schema and the result of its own `prepare`.
export function toOperation<Input, Result>(defined: object): Operation<Input, Result> {
  const kind = "change";
  return { schema: z.undefined(), kind, ...defined } as unknown as Operation<Input, Result>;
}

/** Doors that count together use one name. */
export function limitNameOf({ noun, verb }: Operation, by: OperationLimit["by"]): string {
  return `${noun.noun} ${verb} ${by}`;
}

/**
 * The resource as it is in the transaction that has just written it.
 *
 * @throws when it is missing, which is a bug
 */
export async function readSaved<Row extends Resource>(
  noun: Noun<Row>,
  tx: DatabaseTransaction,
  ref: ResourceRef,
): Promise<Row> {
  const saved = await noun.find(tx, ref);
  if (!saved) throw new Error(`the ${noun.noun} that was just saved is missing`);
  return saved;
}

/** For the audit log. */
export function authorOf(actor: Actor, now: Date): Author {
  const keyId = actor.kind === "key" ? actor.id : undefined;
  return { clock: { now: () => now }, actor: nameOfActor(actor), ...(keyId && { keyId }) };
}

/** As the audit log names them. */
export function nameOfActor(actor: Actor): string {
  if (actor.kind === "user") return actor.user.id;
  if (actor.kind === "system") return systemActor;
  return actor.kind === "key" ? `API key ${actor.name}` : actor.name;
}
