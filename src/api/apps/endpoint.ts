// GET /apps: the apps of the key's workspace, in the order they were added.
import { appsResponse } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { noParameters } from "../parameters.ts";

export const appsEndpoint = defineEndpoint({
  path: "/apps",
  id: "listApps",
  tag: "Apps",
  summary: "List apps",
  description:
    "All apps of the workspace, in the order they were added. Their `id` is the `app` filter of the other endpoints.",
  parameters: noParameters,
  appIdsOf: () => null,
  responseSchema: appsResponse,
  problems: ["invalid_parameter"],
  async handle({ apps }) {
    return {
      apps: apps.map(({ id, name, store, externalAppId, iconUrl }) => ({
        id,
        name,
        store,
        externalAppId,
        appIcon: iconUrl,
      })),
    };
  },
});
