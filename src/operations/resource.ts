// Each thing that a program sets up in a workspace is described once: the API makes its routes from that, and
// `starpost apply` its steps. The use cases are those that people's actions run.
import type { z } from "zod";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import type { Channel } from "../domain/channel.ts";
import type { NewDelivery } from "../domain/delivery.ts";
import type { SecretBox } from "../lib/secret-box.ts";
import type { AddAppDeps } from "../use-cases/apps/add-app.ts";
import type { SaveChannelDeps } from "../use-cases/channels/save-channel.ts";

export type ResourceDeps = Omit<AddAppDeps & SaveChannelDeps, "database" | "secretBox"> & {
  database: Database;
  secretBox: Pick<SecretBox, "open" | "seal">;
  secretOverlapMs?: number;
  composeTest: (channel: Channel) => NewDelivery;
  /** Asks the recipients of an e-mail channel, or confirms them; returns a warning for the caller, or null. */
  confirmRecipients: (database: Database, channel: Channel) => Promise<string | null>;
  /** After a change of a channel's destination. */
  announceMove: (channel: Channel) => Promise<void>;
};

/** A thing as a program sees it, without its secrets. Dates are timestamps. */
export type View = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A thing that was just saved. */
export type Saved = {
  view: View;
  warning?: string | null;
  /** Signs the deliveries of a new webhook. */
  secret?: string | null;
};

type Place = { workspaceId: string; id: string };

export type ResourceNoun = "app" | "channel" | "topic" | "view" | "credential";

type Definition<New extends z.ZodType, Change extends z.ZodType | null> = {
  noun: ResourceNoun;
  plural: string;
  /** The first part of its paths. */
  path: string;
  newSchema: New;
  /** null: a thing is not changed, but removed and created anew. */
  changeSchema: Change;
  /** The thing as it is read. */
  viewSchema: z.ZodObject;
  list(database: DatabaseTransaction, workspaceId: string): Promise<readonly View[]>;
  create(deps: ResourceDeps, workspaceId: string, input: z.output<New>): Promise<Saved>;
  change(
    deps: ResourceDeps,
    place: Place,
    change: Change extends z.ZodType ? z.output<Change> : never,
  ): Promise<Saved>;
  remove(deps: ResourceDeps, place: Place): Promise<unknown>;
  /** Until the transaction ends, nothing else changes it. */
  lock(tx: DatabaseTransaction, place: Place): Promise<unknown>;
};

export type Resource = Definition<z.ZodType, z.ZodType | null>;

/** Ties the types of a resource to each other: its functions get what its own schemas have parsed. */
export function defineResource<New extends z.ZodType, Change extends z.ZodType | null>(
  definition: Definition<New, Change>,
): Resource {
  return definition as unknown as Resource;
}
