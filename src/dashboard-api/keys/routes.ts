// API keys: shown in full once, listed with how much they are used, revoked.
import { z } from "zod";
import { notFound } from "../../domain/validation-errors.ts";
import { addDays, type Day, dayOf, formatTimestamp } from "../../lib/timestamp.ts";
import { createKey, revokeKey } from "../../use-cases/keys/keys.ts";
import type { ApiKey } from "../contract/keys.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { shortText } from "../fields.ts";

const shownDays = 14;

export const keyRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/keys", {
    access: "member",
    handle: async ({ deps, workspace }) => ({ keys: await listKeyViews(deps, workspace.id) }),
  }),
  route("POST /workspaces/:workspace/keys", {
    access: "owner",
    body: z.strictObject({ name: shortText }),
    async handle({ deps, actorContext, workspace, body }) {
      const issued = await createKey(actorContext, { workspaceId: workspace.id, name: body.name });
      const { id, key } = issued;
      return { apiKey: await getKeyView(deps, { id, workspaceId: workspace.id }), key };
    },
  }),
  route("POST /workspaces/:workspace/keys/:key/revoke", {
    access: "owner",
    async handle({ deps, actorContext, workspace, params }) {
      const wanted = { id: params.key, workspaceId: workspace.id };
      await revokeKey(actorContext, wanted);
      return { apiKey: await getKeyView(deps, wanted) };
    },
  }),
];

async function getKeyView(
  deps: DashboardDeps,
  wanted: { id: string; workspaceId: string },
): Promise<ApiKey> {
  const keys = await listKeyViews(deps, wanted.workspaceId);
  const found = keys.find(({ id }) => id === wanted.id);
  if (!found) throw notFound("key", wanted.id);
  return found;
}

async function listKeyViews(
  { clock, database }: DashboardDeps,
  workspaceId: string,
): Promise<ApiKey[]> {
  const today = dayOf(clock.now());
  const from = addDays(today, 1 - shownDays);
  const keys = await database.listApiKeys({ workspaceId });
  const counted = await database.listApiKeyUsage({ workspaceId, from });
  const counts = new Map(counted.map((one) => [`${one.keyId} ${one.day}`, one.requestCount]));
  const days: Day[] = Array.from({ length: shownDays }, (_, index) => addDays(from, index));
  return keys.reverse().map(({ id, name, prefix, createdAt, lastUsedAt, revokedAt }) => ({
    id,
    name,
    prefix,
    createdAt: formatTimestamp(createdAt),
    lastUsedAt: lastUsedAt && formatTimestamp(lastUsedAt),
    revokedAt: revokedAt && formatTimestamp(revokedAt),
    requestDays: days.map((day) => ({ day, count: counts.get(`${id} ${day}`) ?? 0 })),
  }));
}
