// Versions of the apps of a question, for clients that may have its answer already: requests that arrive together
// share one query.
import type { TaggedApp } from "../database/read-models/followed-apps.ts";
import { createBatch } from "../lib/batch.ts";
import { isUuid } from "../lib/uuid.ts";
import type { ReadDatabase } from "./endpoint.ts";

export type TaggedApps = {
  /** In the order of their ids; null when one is not an app of the workspace. */
  find(query: { workspaceId: string; ids: readonly string[] }): Promise<TaggedApp[] | null>;
};

type Question = { workspaceId: string; appId: string };

// The query is short and waits for no lock: what comes meanwhile is better gathered than asked at the same time.
const batchLimits = { countMax: 1_000, runningMax: 1 };

export function createTaggedApps(openReader: () => ReadDatabase): TaggedApps {
  const find = createBatch<Question, TaggedApp | null>(async (questions) => {
    const found = await openReader().listTaggedApps(questions);
    const apps = new Map(
      found.map(({ workspaceId, ...app }) => [keyOf({ workspaceId, appId: app.id }), app]),
    );
    return questions.map((question) => apps.get(keyOf(question)) ?? null);
  }, batchLimits);
  return {
    async find({ workspaceId, ids }) {
      if (!ids.every(isUuid)) return null;
      const sorted = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
      const apps = await Promise.all(sorted.map((appId) => find({ workspaceId, appId })));
      const known = apps.filter((app) => app !== null);
      return known.length < apps.length ? null : known;
    },
  };
}

// Both are UUIDs, so that no two questions have one key.
const keyOf = ({ workspaceId, appId }: Question): string => `${workspaceId} ${appId}`;
