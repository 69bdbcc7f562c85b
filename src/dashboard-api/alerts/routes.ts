// Failures in a workspace, and imports in progress: storefronts that can't be read and channels whose endpoint doesn't
// accept events.
import { hasRole } from "../../domain/people/user.ts";
import { listAppsWithCoverage } from "../../use-cases/apps/apps.ts";
import { readHeldDetails } from "../../use-cases/apps/held-details.ts";
import {
  isAbout,
  listOpenIncidents,
  nameIncident,
} from "../../use-cases/incidents/layout-incidents.ts";
import { countImported, summarizeRegions } from "../apps/app-view.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";

export const alertRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/alerts", {
    access: "viewer",
    async handle({ deps, workspace, workspaceId, me }) {
      const apps = await listAppsWithCoverage(deps, { workspaceId });
      // Viewers see no channels.
      const channels = hasRole(workspace.role, "member")
        ? await deps.database.listChannels({ workspaceId })
        : [];
      const incidents = await listOpenIncidents(deps.database, workspaceId);
      const held = await readHeldDetails(
        deps.database,
        apps.map(({ listingId }) => listingId),
      );
      const userId = me.user.id;
      return {
        assignedCount: await deps.database.countOpenWork({ workspaceId, userId }),
        apps: apps.flatMap((app) => {
          const { failing, regionCount } = summarizeRegions(app);
          const { id: appId, name, store } = app;
          return failing.length > 0 ? { appId, name, store, regionCount, failing } : [];
        }),
        importing: apps.flatMap(({ id: appId, name, store, feeds }) => {
          const progress = countImported(feeds);
          return progress ? { appId, name, store, ...progress } : [];
        }),
        incidents: incidents
          .filter((incident) => apps.some((app) => isAbout(incident, app)))
          .map((incident) => ({
            name: nameIncident(incident),
            store: incident.store,
            kind: incident.kind,
            since: incident.since,
          })),
        heldDetails: held.flatMap(({ listingId, since, changes }) => {
          const app = apps.find((one) => one.listingId === listingId);
          if (!app) return [];
          const { id: appId, name, store } = app;
          return { appId, name, store, since, changes };
        }),
        channels: channels.flatMap(({ id: channelId, name, failingSince, failingReason }) =>
          failingSince
            ? { channelId, name, since: failingSince, reason: failingReason ?? "no response" }
            : [],
        ),
      };
    },
  }),
];
