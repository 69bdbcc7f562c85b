// Releases that are worse, as alerts.

import { releaseDays } from "../../domain/changes/release-periods.ts";
import { worseByDefault } from "../../domain/changes/verdict.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import {
  type Alert,
  type AlertDeps,
  alertOf,
  listOwnApps,
} from "../../use-cases/channels/alert-finders.ts";
import { readVerdicts } from "./read-verdicts.ts";

/** Each costs a few hundred milliseconds where there are many reviews. */
const appsMax = 20;
/** Several can come out on one day or in one week. */
const releasesMax = 5;

/** The newest releases of each app, while their reviews are judged. */
export async function findWorseReleases(deps: AlertDeps, channel: Channel): Promise<Alert[]> {
  const { clock, database } = deps;
  const { workspaceId } = channel;
  const own = (await listOwnApps(deps, channel)).slice(0, appsMax);
  const apps = await database.listFollowedApps({ workspaceId, ids: own.map(({ id }) => id) });
  const releases = { newestMax: releasesMax };
  const chosen = { workspaceId, apps, worseBy: worseByDefault, releases };
  const verdicts = await readVerdicts(database, chosen);
  const since = addDays(dayOf(clock.now()), -releaseDays);
  return verdicts.flatMap(({ app, version, firstDay, result, words }) => {
    if (result !== "worse" || firstDay < since) return [];
    const items = [{ cause: `release.worse ${app.id} ${version}`, text: `${version}: ${words}` }];
    const subject = own.find(({ id }) => id === app.id);
    return alertOf("release.worse", subject, items).map((alert) => ({ ...alert, version }));
  });
}
