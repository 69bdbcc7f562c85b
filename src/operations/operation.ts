// The table of operations: each change that people and programs make in a workspace is described once, and the doors
// (dashboard, write API, command line, `apply`) are loops over it.
//
// To move a noun here: describe it with `defineNoun` (how it is found, listed and shown), then each verb with `creation`
// or `action`. `run` gets a parsed input and, for a thing that exists, the row as it is under the workspace's lock; it
// checks, writes and returns the detail of the audit entry. Requests to the outside belong into `prepare`, before the
// transaction; mails into `after`. The frame (`frame.ts`) does the rest. List the verbs in `operations.ts`, put
// `operate(…)` into the dashboard's routes and the command, and delete the use case with its transaction.
import { z } from "zod";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { ChangeTopic } from "../database/platform/change-notifications.ts";
import type { Channel } from "../domain/channel.ts";
import type { NewDelivery } from "../domain/delivery.ts";
import type { StoreId } from "../domain/store-id.ts";
import type { MemberRole, User } from "../domain/user.ts";
import type { WorkspaceLimits } from "../domain/workspace.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { SecretBox } from "../lib/secret-box.ts";
import type { ProviderConfig } from "../use-cases/analysis/providers.ts";
import type { StoreAppLookup } from "../use-cases/apps/store-lookup.ts";
import type { CheckUrl } from "../use-cases/channels/parse-destination.ts";
import type { SendServiceMail } from "../use-cases/service-mail.ts";

/** The actor: a signed-in user, a program with a key, or the operator at the command line. */
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
  | { kind: "operator"; name: string };

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
  composeTest: (channel: Channel) => NewDelivery;
  /** Makes the secret of a new webhook; random without it. */
  createSigningSecret?: () => string;
  /** The settings of translation; without it there are no warnings. */
  providers?: readonly ProviderConfig[];
  /** Signs the links in e-mails. */
  signingKey: Buffer;
  /** null without a mail server and PUBLIC_URL. */
  sendMail: SendServiceMail | null;
  settings: { publicUrl: string | null };
};

/** A thing of a workspace. Its version rises with every change that people make, and with nothing else. */
export type Thing = { id: string; workspaceId: string; version: number };

/** A thing as a program sees it, without its secrets. Dates are timestamps. */
export type View = { readonly id: string } & Readonly<Record<string, unknown>>;

/** `workspaceId` is null for the operator, who sees all workspaces. */
export type Place = { workspaceId: string | null; id: string };

export type Noun<Row extends Thing = Thing> = {
  noun:
    | "app"
    | "channel"
    | "delivery"
    | "topic"
    | "view"
    | "credential"
    | "key"
    | "link"
    | "member"
    | "invitation"
    | "workspace";
  plural: string;
  /** The first part of its paths in the write API. */
  path: string;
  /** Whether people may write its name in place of its id. */
  isNamed?: true;
  find(database: DatabaseTransaction, place: Place): Promise<Row | null>;
  /** Reads it for a change; `find` unless more than the workspace has to be locked. */
  lock?(tx: DatabaseTransaction, place: Place): Promise<Row | null>;
  list(database: DatabaseTransaction, workspaceId: string): Promise<readonly Row[]>;
  toView(row: Row): View;
  /** The view: the thing as it is read. */
  viewSchema: z.ZodObject | null;
};

export type OperationContext = {
  deps: OperationDeps;
  tx: DatabaseTransaction;
  workspaceId: string;
  actor: Actor;
  now: Date;
};

/** The result of a run. */
export type Done<Result> = {
  result: Result;
  /** The thing that the audit log names: by default the one that existed before. */
  id?: string;
  /** Whether a creation changed a thing of that name instead. */
  isReplacement?: boolean;
  /** For the audit log; null when there was nothing to do. */
  detail: Record<string, unknown> | null;
  /** Something to know about a valid setting. */
  warning?: string | null;
  /** A secret that was made, which is shown this once. */
  secret?: string;
};

/** How often an operation may be called in one minute: for its workspace, or for the thing. */
type OperationLimit = { perMinute: number; by: "workspace" | "thing" };

export const bodyBytesMaxDefault = 64 * 1024;

type Traits = {
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
  /** Sends something to others, which all such operations together are limited for. */
  isSending?: true;
  limits?: readonly OperationLimit[];
  /** Larger bodies are refused before they are parsed; by default 64 kB, for a key file or a long list of apps. */
  bodyBytesMax?: number;
  /** The action in the audit log. */
  audit: string;
  /** In the write API: its name, and the fields of the answer; without it the answer is the thing. */
  output?: { operationId: string; schema: z.ZodObject };
  /** The workers that are notified after the commit. */
  notifies?: ChangeTopic;
};

type Definition<Schema extends z.ZodType, Before, Result, Prepared> = Traits & {
  /** Without it nothing is entered. */
  schema?: Schema;
  /** Asks the outside before the transaction. Nothing that it reads from the database is relied on. */
  prepare?(
    context: Omit<OperationContext, "tx" | "now" | "workspaceId"> & { place: Place },
    input: z.output<Schema>,
  ): Promise<Prepared>;
  run(
    context: OperationContext,
    request: { input: z.output<Schema>; before: Before; prepared: Prepared },
  ): Promise<Done<Result>>;
  /** After the commit. A failure is a warning: the work is done. */
  after?(
    context: Omit<OperationContext, "tx">,
    done: { input: z.output<Schema>; before: Before; result: Result },
  ): Promise<unknown>;
};

export type Operation<Input = unknown, Result = unknown> = Traits & {
  noun: Noun;
  schema: z.ZodType<Input>;
  /** Whether it makes a thing, or is done to one. */
  isCreation: boolean;
  prepare?(context: object, input: Input): Promise<unknown>;
  run(context: OperationContext, request: object): Promise<Done<Result>>;
  after?(context: object, done: object): Promise<unknown>;
};

export function defineNoun<Row extends Thing>(noun: Noun<Row>): Noun<Row> {
  return noun;
}

/** `find` of a noun whose few things are read together; the operator names none of them. */
export function findAmong<Row extends Thing>(list: Noun<Row>["list"]): Noun<Row>["find"] {
  return async (database, { id, workspaceId }) => {
    const rows = workspaceId === null ? [] : await list(database, workspaceId);
    return rows.find((row) => row.id === id.toLowerCase()) ?? null;
  };
}

/** Makes a thing of the noun. */
export function creation<
  Row extends Thing,
  Result,
  Schema extends z.ZodType = z.ZodUndefined,
  Prepared = undefined,
>(
  noun: Noun<Row>,
  definition: Definition<Schema, null, Result, Prepared>,
): Operation<z.output<Schema>, Result> {
  return toOperation({ ...definition, noun, isCreation: true });
}

/** Is done to a thing that exists. */
export function action<
  Row extends Thing,
  Result,
  Schema extends z.ZodType = z.ZodUndefined,
  Prepared = undefined,
>(
  noun: Noun<Row>,
  definition: Definition<Schema, Row, Result, Prepared>,
): Operation<z.output<Schema>, Result> {
  return toOperation({ ...definition, noun, isCreation: false });
}

// The frame hands each run the row of its own noun, the input of its own schema and the result of its own `prepare`.
function toOperation<Input, Result>(defined: object): Operation<Input, Result> {
  return { schema: z.undefined(), ...defined } as unknown as Operation<Input, Result>;
}

/** Doors that count together use one name. */
export function limitNameOf({ noun, verb }: Operation, by: OperationLimit["by"]): string {
  return `${noun.noun} ${verb} ${by}`;
}

/**
 * The thing as it is in the transaction that has just written it.
 *
 * @throws when it is missing, which is a bug
 */
export async function readSaved<Row extends Thing>(
  noun: Noun<Row>,
  tx: DatabaseTransaction,
  place: Place,
): Promise<Row> {
  const saved = await noun.find(tx, place);
  if (!saved) throw new Error(`the ${noun.noun} that was just saved is missing`);
  return saved;
}

/** As the audit log names them. */
export function nameOfActor(actor: Actor): string {
  if (actor.kind === "user") return actor.user.id;
  return actor.kind === "key" ? `API key ${actor.name}` : actor.name;
}
