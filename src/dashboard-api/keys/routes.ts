// API keys: create (shown in full once), list with their usage, revoke.

import { notFound } from "../../domain/validation-errors.ts";
import { addDays, type Day, dayOf } from "../../lib/timestamp.ts";
import { createKey, keepKey, revokeKey } from "../../operations/key.ts";
import type { ApiKey } from "../contract/keys.ts";
import { type DashboardRoute, operate, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { toJson } from "../show.ts";

const usageDays = 14;

export const keyRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/keys", {
    access: "member",
    handle: async ({ deps, workspaceId }) => ({ keys: await listKeyViews(deps, workspaceId) }),
  }),
  operate(
    "POST /workspaces/:workspace/keys",
    createKey,
    async ({ result, secret: key }, { deps }) => ({ apiKey: await getKeyView(deps, result), key }),
  ),
  operate("POST /workspaces/:workspace/keys/:key/revoke", revokeKey, async (_, context) => ({
    apiKey: await getKeyView(context.deps, context.subject),
  })),
  operate("POST /workspaces/:workspace/keys/:key/keep", keepKey),
];

async function getKeyView(
  deps: DashboardDeps,
  subject: { id: string; workspaceId: string },
): Promise<ApiKey> {
  const keys = await listKeyViews(deps, subject.workspaceId);
  const key = keys.find(({ id }) => id === subject.id);
  if (!key) throw notFound("key", subject.id);
  return key;
}

async function listKeyViews(
  { clock, database }: DashboardDeps,
  workspaceId: string,
): Promise<ApiKey[]> {
  const today = dayOf(clock.now());
  const from = addDays(today, 1 - usageDays);
  const keys = await database.listApiKeys({ workspaceId });
  const counted = await database.listApiKeyUsage({ workspaceId, from });
  const counts = new Map(counted.map((one) => [`${one.keyId} ${one.day}`, one.requestCount]));
  const days: Day[] = Array.from({ length: usageDays }, (_, index) => addDays(from, index));
  return keys.reverse().map(({ workspaceId: _, ...key }) => ({
    ...toJson(key),
    requestDays: days.map((day) => ({ day, count: counts.get(`${key.id} ${day}`) ?? 0 })),
  }));
}
