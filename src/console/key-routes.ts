// API keys: shown in full once, listed with how much they are used, revoked.
import { z } from "zod";
import { addDays, type Day, dayOf, formatTimestamp } from "../lib/timestamp.ts";
import { issueKey, revokeKey } from "../manage/keys.ts";
import { notFound } from "../manage/refusal.ts";
import { type ConsoleRoute, route } from "./console-route.ts";
import type { ApiKey } from "./contract/keys.ts";
import { shortText } from "./fields.ts";
import type { ConsoleRooms } from "./rooms.ts";

const shownDays = 14;

export const keyRoutes: readonly ConsoleRoute[] = [
  route("GET /workspaces/:workspace/keys", {
    admits: "member",
    answer: async ({ rooms, workspace }) => ({ keys: await showKeys(rooms, workspace.id) }),
  }),
  route("POST /workspaces/:workspace/keys", {
    admits: "owner",
    body: z.strictObject({ name: shortText }),
    async answer({ rooms, acting, workspace, body }) {
      const issued = await issueKey(acting, { workspaceId: workspace.id, name: body.name });
      const { id, key } = issued;
      return { apiKey: await showKey(rooms, { id, workspaceId: workspace.id }), key };
    },
  }),
  route("POST /workspaces/:workspace/keys/:key/revoke", {
    admits: "owner",
    async answer({ rooms, acting, workspace, params }) {
      const wanted = { id: params.key, workspaceId: workspace.id };
      await revokeKey(acting, wanted);
      return { apiKey: await showKey(rooms, wanted) };
    },
  }),
];

async function showKey(
  rooms: ConsoleRooms,
  wanted: { id: string; workspaceId: string },
): Promise<ApiKey> {
  const keys = await showKeys(rooms, wanted.workspaceId);
  const found = keys.find(({ id }) => id === wanted.id);
  if (!found) throw notFound("key", wanted.id);
  return found;
}

async function showKeys({ clock, keep }: ConsoleRooms, workspaceId: string): Promise<ApiKey[]> {
  const today = dayOf(clock.now());
  const from = addDays(today, 1 - shownDays);
  const keys = await keep.listApiKeys({ workspaceId });
  const counted = await keep.listKeyDays({ workspaceId, from });
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
