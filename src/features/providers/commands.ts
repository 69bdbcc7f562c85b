// starpost providers and translate: the state of the translator and the analysing provider, and the
// translation of reviews that are stored already.

import { type Command, command } from "../../cli/command.ts";
import { operate } from "../../cli/operate.ts";
import { appOption, optional } from "../../cli/option.ts";
import { translateApp } from "./operations.ts";
import { listProviders } from "./provider-status.ts";

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
    options: {
      app: appOption,
      review: optional("--review <review>", "Only the review with this id."),
    },
    async run(context, { app: id, review = null }) {
      const { result: value } = await operate(context, translateApp, { id, values: { review } });
      return { value };
    },
  }),
];
