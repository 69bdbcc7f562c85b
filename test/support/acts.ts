// The operations that tests need most often, each as one function with the dependencies of the test.

import type { IncidentKey } from "../../src/database/collecting/held-feeds.ts";
import type { ListedChannel } from "../../src/domain/channel/channel.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import type { ApiKey } from "../../src/domain/people/workspace.ts";
import type { StoreId } from "../../src/domain/store/store-id.ts";
import * as apps from "../../src/operations/app.ts";
import * as channels from "../../src/operations/channel.ts";
import * as actions from "../../src/operations/channel-actions.ts";
import * as erasures from "../../src/operations/erase-review.ts";
import * as incidents from "../../src/operations/incident.ts";
import * as keys from "../../src/operations/key.ts";
import * as members from "../../src/operations/member.ts";
import * as workspaces from "../../src/operations/workspace.ts";
import type { StoreAppLookup } from "../../src/use-cases/apps/store-lookup.ts";
import { nameIncident } from "../../src/use-cases/incidents/layout-incidents.ts";
import { act, carry, type Deps } from "./operations.ts";

type Ref = { id: string; workspaceId?: string | null };
type Warned = { warning: string | null };
/** Fields of the input, which the schema checks. */
type Values = Record<string, unknown>;

export async function createChannel(
  deps: Deps,
  input: Values & { workspaceId: string },
  signingSecret?: string,
): Promise<Warned & { channel: ListedChannel; secret: string | null }> {
  const createSigningSecret = signingSecret && { createSigningSecret: () => signingSecret };
  const made = await carry({ ...deps, ...createSigningSecret }, channels.createChannel, input);
  const { result: channel, warning, secret = null } = made;
  return { channel, warning, secret };
}

export async function createWebhook(
  deps: Deps,
  input: Values & { workspaceId: string },
  signingSecret?: string,
): Promise<Warned & { channel: ListedChannel; secret: string }> {
  const created = await createChannel(deps, { ...input, type: "webhook" }, signingSecret);
  return { ...created, secret: created.secret ?? "" };
}

export async function updateChannel(
  deps: Deps,
  { change, ...ref }: Ref & { change: Values },
): Promise<Warned & { channel: ListedChannel; cancelledCount: number }> {
  const { result, warning } = await carry(deps, channels.changeChannel, { ...ref, ...change });
  const { cancelledCount, ...channel } = result;
  return { channel, cancelledCount, warning };
}

export const deleteChannel = (deps: Deps, ref: Ref) => act(deps, channels.removeChannel, ref);
export const testChannel = (deps: Deps, ref: Ref) => act(deps, actions.testChannel, ref);
export const redeliverOne = (deps: Deps, ref: Ref) => act(deps, actions.redeliverOne, ref);
/** The channel with its secrets, as the command line shows it. */
export async function revealChannel(deps: Deps, ref: Ref) {
  const channel = await deps.database.findChannel({ workspaceId: null, ...ref });
  return { ...channel, ...(await act(deps, actions.showSecret, ref)) };
}
export const createNextSecret = (deps: Deps, ref: Ref) => act(deps, actions.createNextSecret, ref);
export const endOldSecret = (deps: Deps, ref: Ref) => act(deps, actions.endOldSecret, ref);

type OfChannel = { channelId: string; workspaceId: string | null };
export const redeliverExpired = (deps: Deps, { channelId: id, workspaceId }: OfChannel) =>
  act(deps, actions.redeliverExpired, { id, workspaceId });
export const retryNow = (deps: Deps, { channelId: id, workspaceId }: OfChannel) =>
  act(deps, actions.retryChannel, { id, workspaceId });

export function rotateSecret(deps: Deps, { isOldEnded, ...ref }: Ref & { isOldEnded?: boolean }) {
  const overlap = isOldEnded ? { secretOverlapMs: 0 } : {};
  return act({ ...deps, ...overlap }, actions.rotateSecret, ref);
}

type AppDeps = Deps & { stores: Readonly<Record<StoreId, StoreAppLookup>> };

/** As it is entered; by default the app is collected, by the store's defaults. */
export type AddAppInput = {
  workspaceId: string;
  store: string;
  externalAppId: string;
  name?: string | null;
  countries?: readonly string[] | null;
  foundIn?: string | null;
  languages?: readonly string[] | null;
  isCollected?: boolean;
  credentialId?: string | null;
};

export async function addApp(
  { stores, ...deps }: AppDeps,
  input: AddAppInput,
): Promise<Warned & { app: App }> {
  const asking = { ...deps, loadStores: async () => stores };
  const { result: app, warning } = await carry(asking, apps.addApp, input);
  return { app, warning };
}

export async function changeApp(
  deps: Deps,
  { change, ...ref }: Ref & { change: Values },
): Promise<Warned & { app: App }> {
  const { result: app, warning } = await carry(deps, apps.changeApp, { ...ref, ...change });
  return { app, warning };
}

export const removeApp = (deps: Deps, ref: Ref) => act(deps, apps.removeApp, ref);

export const removeMember = (
  deps: Deps,
  { workspaceId, userId: id }: { workspaceId: string; userId: string },
) => act(deps, members.removeMember, { workspaceId, id });

export const createWorkspace = (deps: Deps, values: { name: string; plan: string }) =>
  act(deps, workspaces.createWorkspace, values);
export const setWorkspacePlan = (deps: Deps, change: { id: string; plan: string }) =>
  act(deps, workspaces.setPlan, change);
export const deleteWorkspace = (deps: Deps, ref: { id: string }) =>
  act(deps, workspaces.removeWorkspace, ref);

export async function createKey(
  deps: Deps,
  input: Values & { workspaceId: string },
): Promise<ApiKey & { key: string }> {
  const { result, secret = "" } = await carry(deps, keys.createKey, input);
  return { ...result, key: secret };
}

export const eraseReview = (
  deps: Deps,
  { appId: id, reviewId }: { appId: string; reviewId: string },
) => act(deps, erasures.eraseReview, { id, reviewId });

export const acceptIncident = (deps: Deps, incident: IncidentKey) =>
  act(deps, incidents.acceptIncident, { id: nameIncident(incident) });
export const rejectIncident = (deps: Deps, incident: IncidentKey) =>
  act(deps, incidents.rejectIncident, { id: nameIncident(incident) });

export const revokeKey = (deps: Deps, ref: Ref) => act(deps, keys.revokeKey, ref);
