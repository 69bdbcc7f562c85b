// The notice that the service has deleted a channel, which a member dismisses. Its entry of the audit log hides it.
import type { DatabaseTransaction } from "../database/database.ts";
import { action, defineNoun, findAmong, type Resource } from "./operation.ts";

type RetiredNotice = Resource & { name: string };

const noticeNoun = defineNoun<RetiredNotice>({
  noun: "notice",
  plural: "notices",
  path: "notices",
  find: findAmong(listNotices),
  list: listNotices,
  toView: ({ id, name }) => ({ id, name }),
  viewSchema: null,
});

/** Those that are no longer shown, too. */
async function listNotices(
  database: DatabaseTransaction,
  workspaceId: string,
): Promise<RetiredNotice[]> {
  const notices = await database.listRetiredChannels({ workspaceId, since: new Date(0) });
  return notices.map(({ id, detail }) => {
    return { id, workspaceId, name: String(detail["name"] ?? ""), version: 0 };
  });
}

/** No program sees notices, so none dismisses them. */
export const dismissNotice = action(noticeNoun, {
  verb: "dismiss",
  summary: "Dismiss a notice",
  role: "member",
  audit: "notice.dismissed",
  run: async (_, { before }) => ({ result: before, detail: {} }),
});
