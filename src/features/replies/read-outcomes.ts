// Reads how the stars of reviews changed after the answers of a workspace, in some days.
import type { DatabaseTransaction } from "../../database/database.ts";
import type { ReplyOutcomes } from "../../domain/review/reply-outcomes.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import * as statements from "./sql.ts";

const dayCountDefault = 28;

/** @throws AppError `not_found` for an app of another workspace */
export async function readOutcomes(
  database: Pick<DatabaseTransaction, "listFollowedApps" | "with">,
  query: {
    workspaceId: string;
    app?: string | undefined;
    /** UTC days, both inclusive. */
    from?: string | undefined;
    to?: string | undefined;
    now: Date;
  },
): Promise<ReplyOutcomes> {
  const { workspaceId, app, now } = query;
  const apps = await database.listFollowedApps({ workspaceId, ids: app ? [app] : null });
  if (app && apps.length === 0) throw notFound("app", app);
  const { to = dayOf(now) } = query;
  const { from = addDays(to, 1 - dayCountDefault) } = query;
  return database.with(statements).readReplyOutcomes({
    ...{ workspaceId, apps },
    from: new Date(`${from}T00:00:00Z`),
    to: new Date(`${addDays(to, 1)}T00:00:00Z`),
  });
}
