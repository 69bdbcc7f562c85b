// starpost mcp: a Model Context Protocol server on stdin and stdout, for assistants that start it as a program.

import { type Command, command } from "../../cli/command.ts";
import { flag, optional } from "../../cli/option.ts";
import { ownUrl } from "../../config/config.ts";
import { AppError } from "../../domain/error.ts";
import { failField } from "../../domain/validation-errors.ts";
import { canParseUrl } from "../../lib/urls.ts";

export const commands: Command[] = [
  command({
    name: "mcp",
    options: {
      url: optional("--url <url>", "Where the service runs; STARPOST_URL unless given."),
      key: optional(
        "--key <key>",
        "An API key; STARPOST_KEY unless given, which other programs can't see.",
      ),
      answers: flag(
        "--answers",
        "Add tools that draft and send answers to reviews; the key needs the scope manage.",
      ),
    },
    async runAlone(shell, values) {
      const config = await shell.loadConfig();
      const apiKey = values.key ?? config.starpostKey;
      if (!apiKey) {
        throw new AppError(
          "invalid_setting",
          "no API key: set STARPOST_KEY to one that `starpost key create` has made",
        );
      }
      const baseUrl = values.url ?? config.starpostUrl ?? ownUrl(config);
      if (!/^https?:/.test(baseUrl) || !canParseUrl(baseUrl)) {
        failField("url", "must be a URL that begins with http:// or https://");
      }
      if (shell.isInteractive) {
        shell.note("An assistant starts this program and speaks to it; docs/mcp.md says how.");
      }
      const { serveMcp } = await import("./mcp-server.ts");
      await serveMcp({
        ...{ baseUrl, apiKey, isAnswering: values.answers },
        ...{ stdin: shell.stdin, stdout: shell.stdout, stopped: shell.untilStopped() },
      });
      return null;
    },
  }),
];
