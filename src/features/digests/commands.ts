// starpost digest: what changed in the reviews of an app.

import { type Command, command } from "../../cli/command.ts";
import { appOption, optional } from "../../cli/option.ts";
import { daySchema } from "../../domain/fields.ts";
import { parseField } from "../../domain/validation-errors.ts";
import { readDigest } from "./read-digest.ts";

export const commands: Command[] = [
  command({
    name: "digest",
    options: {
      app: appOption,
      since: optional(
        "--since <version>",
        "Since this version came out, at most 28 days. Without it: the week up to --to.",
      ),
      to: optional(
        "--to <day>",
        "The last day, YYYY-MM-DD. Default: yesterday; with --since, today.",
      ),
    },
    async run(context, { app: appId, since, to: lastDay }) {
      const to =
        lastDay === undefined ? undefined : parseField(daySchema, { field: "to", value: lastDay });
      const digest = await readDigest(context, {
        appId,
        workspaceId: null,
        since,
        to,
      });
      if (context.isJson) return { value: digest };
      const quotes = digest.quotes.map(
        ({ rating, text, date, version }) =>
          `  ${rating}★ ${date.slice(0, 10)}${version && ` ${version}`}: ${text}`,
      );
      return {
        value: digest.app.name,
        lines: ["", ...digest.sentences, ...(quotes.length > 0 ? ["", ...quotes] : [])],
      };
    },
  }),
];
