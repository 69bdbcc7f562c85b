// Settings of a workspace: its name, who translates, and its accounts at the stores.
import { z } from "zod";
import { formatTimestamp } from "../lib/timestamp.ts";
import { recordAct } from "../manage/audit.ts";
import { addCredential, removeCredential } from "../manage/credentials.ts";
import { listProviders } from "../manage/providers.ts";
import { nameLengthMax, readName, refuseFaults } from "../manage/refusal.ts";
import { requireWorkspace } from "../manage/workspaces.ts";
import type { Credential } from "../reviews/credential.ts";
import { type Acting, type ConsoleRoute, route } from "./console-route.ts";
import type { Credential as ShownCredential, Workspace } from "./contract/settings.ts";
import { shortText, store } from "./fields.ts";
import type { ConsoleRooms } from "./rooms.ts";

const keyFileLengthMax = 20_000;

export const settingsRoutes: readonly ConsoleRoute[] = [
  route("GET /workspaces/:workspace/settings", {
    admits: "member",
    async answer({ rooms, workspace }) {
      const providers = await listProviders(rooms, rooms.providers);
      return {
        workspace: await showWorkspace(rooms, workspace.id),
        role: workspace.role,
        providers: providers.map((one) => ({
          kind: one.kind,
          provider: one.provider,
          status: one.status,
          goodAt: one.goodAt && formatTimestamp(one.goodAt),
          restsUntil: one.restsUntil && formatTimestamp(one.restsUntil),
          usedToday: one.usedToday,
          dayMax: one.dayMax,
          unit: one.unit,
        })),
      };
    },
  }),
  route("PATCH /workspaces/:workspace/settings", {
    admits: "owner",
    body: z.strictObject({ name: shortText }),
    async answer({ rooms, acting, workspace, body }) {
      await renameWorkspace(acting, { id: workspace.id, name: body.name });
      return { workspace: await showWorkspace(rooms, workspace.id) };
    },
  }),
  route("GET /workspaces/:workspace/credentials", {
    admits: "owner",
    async answer({ rooms, workspace }) {
      const found = await rooms.keep.listCredentials({ workspaceId: workspace.id });
      const shown = found.map((credential) => showCredential(rooms, credential));
      return { credentials: await Promise.all(shown) };
    },
  }),
  route("POST /workspaces/:workspace/credentials", {
    admits: "owner",
    body: z.strictObject({
      store,
      name: shortText,
      keyFile: z.string().max(keyFileLengthMax, { error: "is too long for a key file" }),
      keyId: shortText.nullable(),
      issuerId: shortText.nullable(),
      bucket: shortText.nullable(),
    }),
    async answer({ rooms, acting, workspace, body }) {
      const added = await addCredential(acting, { ...body, workspaceId: workspace.id });
      return { credential: await showCredential(rooms, added) };
    },
  }),
  route("DELETE /workspaces/:workspace/credentials/:credential", {
    admits: "owner",
    async answer({ acting, workspace, params }) {
      await removeCredential(acting, { id: params.credential, workspaceId: workspace.id });
      return {};
    },
  }),
];

async function renameWorkspace(acting: Acting, change: { id: string; name: string }) {
  const limits = { field: "name", lengthMax: nameLengthMax };
  const { name, faults } = readName(change.name, limits);
  refuseFaults(faults);
  const { id } = change;
  await acting.keep.transaction(async (tx) => {
    await tx.renameWorkspace({ id, name });
    const act = { action: "workspace.renamed", subject: id, workspaceId: id, detail: { name } };
    await recordAct(acting, tx, act);
  });
}

async function showWorkspace({ keep }: ConsoleRooms, id: string): Promise<Workspace> {
  const { name, plan, createdAt } = await requireWorkspace(keep, { field: "workspace", id });
  return { id, name, plan, createdAt: formatTimestamp(createdAt) };
}

async function showCredential(
  { keep }: ConsoleRooms,
  { id, store, name, subject, createdAt }: Credential,
): Promise<ShownCredential> {
  const appCount = await keep.countCredentialUses(id);
  return { id, store, name, subject, createdAt: formatTimestamp(createdAt), appCount };
}
