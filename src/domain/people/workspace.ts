// A workspace owns apps, keys, channels and deliveries, and is the border of what anyone sees.
import { z } from "zod";
import { nameSchema, oneOfSchema, wholeNumberSchema } from "../fields.ts";

export const plans = ["starter", "studio"] as const;
export type Plan = (typeof plans)[number];

export type Workspace = {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Date;
  /** Members without a second factor see nothing until they have one. */
  requiresSecondFactor: boolean;
  /** Rises with each change by people. */
  version: number;
};

export const planSchema = oneOfSchema(plans);
export const workspaceInputSchema = z.object({ name: nameSchema(), plan: planSchema });

/** After how many days a new key ends. */
const keyDaysSchema = wholeNumberSchema({ min: 1, max: 3_650 });

/** How much one workspace may have; of keys those that are neither revoked nor over. */
export type WorkspaceLimits = { apps: number; channels: number; keys: number; members: number };

export const workspaceLimitsDefault: WorkspaceLimits = {
  apps: 500,
  channels: 500,
  keys: 100,
  members: 500,
};

/** A user who owns fewer may create one more in the dashboard. */
export const ownedWorkspacesMaxDefault = 20;

/** `manage` reads and changes the set-up; `mcp` reads by the tools of `/mcp` alone. */
export const keyScopes = ["read", "manage", "mcp"] as const;
export type KeyScope = (typeof keyScopes)[number];
const keyScopeSchema = oneOfSchema(keyScopes);
/** `scope`: `read` by default. `days`: after which it ends; never by default. */
export const newKeySchema = z.strictObject({
  name: nameSchema(),
  scope: keyScopeSchema.optional(),
  days: keyDaysSchema.nullable().optional(),
});

/** Whether a key of one scope may do what another one is for: all may call the tools of `/mcp`. */
export function allowsScope(scope: KeyScope, needed: KeyScope): boolean {
  return scope === needed || scope === "manage" || needed === "mcp";
}

/** A key as it can be shown: never its text, which was shown only when it was created. */
export type ApiKey = {
  id: string;
  workspaceId: string;
  name: string;
  /** The first characters, enough to distinguish keys. */
  prefix: string;
  scope: KeyScope;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** The client's IP address at the last use. */
  lastUsedAddress: string | null;
  /** From then on it is refused; null: never. */
  endsAt: Date | null;
  revokedAt: Date | null;
};
