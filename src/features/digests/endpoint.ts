// GET /changes: what changed in the reviews of an app, as the digest has it.

import { defineEndpoint } from "../../api/endpoint.ts";
import { changesParameters } from "../../api/parameters.ts";
import { digestSchema } from "../../domain/changes/digest.ts";
import { readDigest } from "./read-digest.ts";

export const changesEndpoint = defineEndpoint({
  path: "/changes",
  id: "getChanges",
  tag: "Figures",
  summary: "Get what changed",
  description:
    "The reviews of a week, or of the days since a version came out (28 at most), against the 28 days before: rises, new phrases, repeated texts, quotes, and the same in sentences.",
  parameters: changesParameters,
  appIdsOf: ({ app }) => [app],
  // Its verdicts depend on the day and on the state of the feeds as well.
  isTaggedByContent: () => true,
  responseSchema: digestSchema,
  problems: ["invalid_parameter", "app_not_found"],
  async handle({ database, now, workspaceId, query: { app: appId, since, to } }) {
    const deps = { clock: { now: () => now }, database };
    return readDigest(deps, { appId, workspaceId, since, to });
  },
});
