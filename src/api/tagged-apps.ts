// Versions of the apps of a question, for clients that may have its answer already: requests that arrive together
// share one query.
import type { TaggedApp } from "../database/read-models/followed-apps.ts";
import { createBatchedLookup } from "../lib/batched-lookup.ts";
import { isUuid } from "../lib/uuid.ts";
import type { ReadDatabase } from "./endpoint.ts";

export type TaggedApps = {
  /** In the order of their ids; null when one is not an app of the workspace. */
  find(query: { workspaceId: string; ids: readonly string[] }): Promise<TaggedApp[] | null>;
};

type Question = { workspaceId: string; appId: string };

export function createTaggedApps(openReader: () => ReadDatabase): TaggedApps {
  const lookUp = createBatchedLookup<TaggedApp>(async (keys) => {
    const found = await openReader().listTaggedApps(keys.map(questionOf));
    return new Map(
      found.map(({ workspaceId, ...app }) => [keyOf({ workspaceId, appId: app.id }), app]),
    );
  });
  return {
    async find({ workspaceId, ids }) {
      if (!ids.every(isUuid)) return null;
      const sorted = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
      const apps = await Promise.all(sorted.map((appId) => lookUp(keyOf({ workspaceId, appId }))));
      const known = apps.filter((app) => app !== null);
      return known.length < apps.length ? null : known;
    },
  };
}

// Both are UUIDs, so that no two questions have one key.
const keyOf = ({ workspaceId, appId }: Question): string => `${workspaceId} ${appId}`;

function questionOf(key: string): Question {
  const [workspaceId = "", appId = ""] = key.split(" ");
  return { workspaceId, appId };
}
