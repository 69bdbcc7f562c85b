// starpost incident: changes of a store's layout, and what an operator says of them.
import { acceptIncident, rejectIncident } from "../../operations/incident.ts";
import { nameIncident, parseIncident } from "../../use-cases/incidents/layout-incidents.ts";

import { type Command, command } from "../command.ts";
import { operate } from "../operate.ts";
import { required } from "../option.ts";

const feedsMax = 1_000;
const incident = required("<incident>", "Store, source and kind, as the list shows them.");

export const commands: Command[] = [
  command({
    name: "incident list",
    description: "List changes of a store's layout that hold reviews back, oldest first.",
    async run({ database }) {
      const found = await database.listLayoutIncidents();
      return {
        value: found.map(({ store, source, kind, scope, listingId: _, ...rest }) => ({
          incident: nameIncident({ store, source, kind, scope }),
          ...rest,
        })),
        columns: ["incident", "since", "feedCount", "listingCount", "acceptedAt", "reason"],
      };
    },
  }),
  command({
    name: "incident show",
    description: "List the feeds that an incident holds back.",
    args: { incident },
    async run({ database }, { incident }) {
      const held = parseIncident(incident);
      return {
        value: await database.listHeldFeeds({ ...held, limit: feedsMax }),
        columns: ["externalAppId", "region", "since", "reason"],
      };
    },
  }),
  command({
    name: "incident accept",
    description:
      "Say that such pages are right: they count for a week, and what was held back is read.",
    question: async (_context, { incident }) => `Take pages with ${incident} for right?`,
    args: { incident },
    async run(context, { incident }) {
      parseIncident(incident);
      await operate(context, acceptIncident, { id: incident });
      return { value: { accepted: incident } };
    },
  }),
  command({
    name: "incident reject",
    description: "Forget an incident and the pages held back by it: each feed is read anew.",
    args: { incident },
    async run(context, { incident }) {
      parseIncident(incident);
      await operate(context, rejectIncident, { id: incident });
      return { value: { rejected: incident } };
    },
  }),
];
