// The settings of workspaces: the plan of new ones, and how much each may have.
import { plans, type WorkspaceLimits, workspaceLimitsDefault } from "../domain/workspace.ts";
import { oneOf, wholeNumber } from "./setting-fields.ts";

export const workspaceFields = {
  DEFAULT_PLAN: oneOf(plans).default("studio").describe("Plan of new workspaces."),
  WORKSPACE_APPS_MAX: limitOf("apps").describe("Apps that one workspace may follow."),
  WORKSPACE_CHANNELS_MAX: limitOf("channels").describe("Channels of one workspace."),
  WORKSPACE_KEYS_MAX: limitOf("keys").describe("API keys in use of one workspace."),
  WORKSPACE_MEMBERS_MAX: limitOf("members").describe("Members of one workspace."),
};

function limitOf(kind: keyof WorkspaceLimits) {
  return wholeNumber({ min: 1, max: 1_000_000 }).default(workspaceLimitsDefault[kind]);
}
