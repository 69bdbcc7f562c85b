// The versions of an app with the days that their pages compare.
import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import { type CoverageDatabase, readCoveredDays } from "../../use-cases/apps/covered-days.ts";
import { listReleaseSpans } from "../../use-cases/apps/releases.ts";
import { versionsMax } from "../../use-cases/apps/walk-versions.ts";
import type { ReleaseDays } from "./overview.ts";

/** The newest first. */
export async function listReleaseDays(
  database: CoverageDatabase & Pick<Database, "listAppVersions" | "listVersionWeeks">,
  { workspaceId, app }: { workspaceId: string; app: FollowedApp },
): Promise<ReleaseDays[]> {
  const scope = { workspaceId, apps: [app] };
  const all = { ...scope, from: null, to: null, limit: versionsMax };
  const versions = await database.listAppVersions(all);
  const covered = await readCoveredDays(database, scope);
  const query = { ...scope, known: versions, versions, covered };
  const spans = await listReleaseSpans(database, query);
  return spans.map(({ version, firstDay: day, before, after }) => ({
    version,
    day,
    before,
    after,
  }));
}
