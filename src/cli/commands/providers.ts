// starpost providers and translate: the state of the translator and the analysing provider, and the
// translation of reviews that are stored already.
import { listProviders, translateApp } from "../../use-cases/analysis/providers.ts";
import { type Command, command } from "../command.ts";
import { appOption } from "../option.ts";

const columns = [
  "kind",
  "provider",
  "status",
  "waitingReviews",
  "waitingDeliveries",
  "usedToday",
  "dayMax",
  "unit",
];

export const commands: Command[] = [
  command({
    name: "providers",
    async run(context) {
      return { value: await listProviders(context, context.providers), columns };
    },
  }),
  command({
    name: "translate",
    options: { app: appOption },
    async run(context, { app }) {
      const input = { appId: app, workspaceId: null, providers: context.providers };
      return { value: await translateApp(context, input) };
    },
  }),
];
