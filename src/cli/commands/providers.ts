// starpost providers and translate: how the services do that are asked about reviews, and the
// translation of what is kept already.
import { listProviders, translateApp } from "../../use-cases/analysis/providers.ts";
import { type Command, command } from "../command.ts";
import { required } from "../option.ts";

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

export const providerCommands: Command[] = [
  command({
    name: "providers",
    about: "Show how the translator and the analysing provider do, and what waits for them.",
    args: {},
    options: {},
    async run(shell) {
      const context = await shell.context();
      return { value: await listProviders(context, context.providers), columns };
    },
  }),
  command({
    name: "translate",
    about: "Queue the reviews of an app that are neither English nor translated yet.",
    args: {},
    options: { app: required("--app <id>", "The app.") },
    async run(shell, { app }) {
      const context = await shell.context();
      const asked = { appId: app, workspaceId: null, choices: context.providers };
      return { value: await translateApp(context, asked) };
    },
  }),
];
