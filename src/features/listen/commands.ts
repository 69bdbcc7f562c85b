// starpost listen: a channel to this machine while it runs, whose deliveries are verified, printed and, with
// --forward, sent on unchanged to a receiver under development.

import { type Command, command } from "../../cli/command.ts";
import { filterOptions, parseChannelOptions } from "../../cli/commands/channel-options.ts";
import { operate } from "../../cli/operate.ts";
import { number, optional, requireWhole, workspaceOption } from "../../cli/option.ts";
import { openReceiver, type VerifiedRequest } from "../../cli/receiver.ts";
import { AppError } from "../../domain/error.ts";
import { failField } from "../../domain/validation-errors.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { canParseUrl } from "../../lib/urls.ts";
import { createChannel, removeChannel } from "../../operations/channel.ts";
import { generateSigningSecret } from "../../operations/signing-secret.ts";

export const commands: Command[] = [
  command({
    name: "listen",
    options: {
      workspace: workspaceOption("The workspace whose events are received."),
      port: number("--port <number>", "Port to listen on; a free one unless given."),
      forward: optional("--forward <url>", "Post every verified request to this URL, unchanged."),
      ...filterOptions,
    },
    async run(context, values) {
      const port = requireWhole("port", { value: values.port ?? 0, max: 65_535 });
      const forwardUrl = values.forward ?? null;
      if (forwardUrl !== null && !canParseUrl(forwardUrl)) failField("forward", "must be a URL");
      requireLocalWebhooks(context.config);
      const stopped = context.untilStopped();
      let secret: string | null = null;
      const receiver = await openReceiver({
        ...{ port, print: context.print, secret: () => secret },
        ...(forwardUrl !== null && { answer: (request) => forward(forwardUrl, request) }),
      });
      try {
        const channel = {
          ...parseChannelOptions(values),
          name: `starpost listen, port ${receiver.port}`,
          url: receiver.url,
        };
        // The same in each run, so that a receiver under development is configured once.
        const bytes = context.secretBox.derive(`starpost listen ${values.workspace}`);
        const signingSecret = generateSigningSecret(bytes);
        secret = signingSecret;
        const { result } = await operate(context, createChannel, {
          workspaceId: values.workspace,
          values: channel,
          deps: { createSigningSecret: () => signingSecret },
        });
        const { id } = result;
        try {
          for (const line of describe({ id, secret: signingSecret, url: receiver.url })) {
            context.print(line);
          }
          await stopped;
        } finally {
          await operate(context, removeChannel, { id });
        }
      } finally {
        await receiver.close();
      }
      return null;
    },
  }),
];

function describe(channel: { id: string; secret: string; url: string }): string[] {
  return [
    `Listening at ${channel.url}; Ctrl-C ends it and deletes the channel.`,
    `  secret    ${channel.secret}`,
    `  try it    starpost channel test ${channel.id}`,
    "The secret is the same in every run.",
    "",
  ];
}

/** Both settings at once, for the service as well: it checks them before every attempt. */
function requireLocalWebhooks(config: {
  webhookAllowHttp: boolean;
  webhookAllowedCidrs: readonly string[];
}): void {
  if (config.webhookAllowHttp && config.webhookAllowedCidrs.length > 0) return;
  throw new AppError(
    "invalid_setting",
    "the service may not post to this machine yet: put WEBHOOK_ALLOW_HTTP=true and WEBHOOK_ALLOWED_CIDRS=127.0.0.0/8 into .env, and start it again",
  );
}

/** The receiver's status; 502 when it does not answer. */
async function forward(url: string, { body, headers }: VerifiedRequest): Promise<number> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(content-type|x-service-|webhook-|user-agent)/.test(name),
  );
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(minuteMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    // The line that is printed shows it, and the service tries again.
    return 502;
  }
}
