// starpost channel: where events are sent, which ones, and under which filters.

import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { channelEventNames } from "../../domain/channel/channel.ts";
import { describeDestination } from "../../domain/channel/channel-destination.ts";
import { channelTypeIds } from "../../domain/channel/channel-types.ts";
import { AppError } from "../../domain/error.ts";
import { parseField } from "../../domain/validation-errors.ts";
import { monotonicMs } from "../../lib/clock.ts";
import { systemDelay } from "../../lib/delay.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toTestDelivery } from "../../matching/deliveries.ts";
import { changeChannel, createChannel, removeChannel } from "../../operations/channel.ts";
import {
  createNextSecret,
  endOldSecret,
  rotateSecret,
  showSecret,
  testChannel,
} from "../../operations/channel-actions.ts";
import type { OperationDeps } from "../../operations/operation.ts";
import { listChannels, requireChannel } from "../../use-cases/channels/channels.ts";
import { findDelivery } from "../../use-cases/channels/deliveries.ts";
import { type Command, command } from "../command.ts";
import { operate } from "../operate.ts";
import {
  flag,
  type Option,
  optional,
  reference,
  required,
  unless,
  workspaceFilter,
  workspaceOption,
} from "../option.ts";
import {
  destinationOptions,
  digestOptions,
  filterOptions,
  parseChannelOptions,
  requestOptions,
} from "./channel-options.ts";

const columns = ["name", "type", "destination", "events", "failingReason", "id"];

const id = reference("channel", { flags: "<channel>", description: "Its id or name." });

// `--translate` and `--no-translate` share one value; neither leaves it as it is.
const translation: Option<boolean | undefined> = {
  flags: "--translate",
  description: "Send a translation along.",
  isRequired: false,
  parse: (text) => (typeof text === "boolean" ? text : undefined),
};
const noTranslation = {
  ...translation,
  flags: "--no-translate",
  description: "Send originals only.",
};

export const commands: Command[] = [
  command({
    name: "channel create",
    description: "Create a channel, and show the signing secret of a webhook.",
    options: {
      workspace: workspaceOption("The workspace whose events are sent."),
      name: required("--name <name>", "Its name for people."),
      type: {
        ...optional("--type <type>", `${channelTypeIds.join(", ")} (webhook).`),
        values: channelTypeIds,
      },
      ...destinationOptions,
      ...requestOptions,
      ...filterOptions,
      ...digestOptions,
      translate: flag("--translate", "Send a translation along."),
    },
    async run(context, values) {
      const { name, type = "webhook", workspace: workspaceId } = values;
      const input = { ...parseChannelOptions(values), name, type };
      const created = await operate(context, createChannel, { workspaceId, values: input });
      const { result, secret = null, warning } = created;
      return { value: { ...result, secret, warning } };
    },
  }),
  command({
    name: "channel list",
    description: "List channels, without their secrets.",
    options: { workspace: workspaceFilter() },
    async run({ database }, { workspace }) {
      const channels = await listChannels(database, { workspaceId: workspace ?? null });
      const value = channels.map((channel) => ({
        ...channel,
        destination: describeDestination(channel),
      }));
      return { value, columns };
    },
  }),
  command({
    name: "channel show",
    description: "Show a channel, and the signing secret of a webhook.",
    args: { id },
    async run(context, values) {
      const { result } = await operate(context, showSecret, values);
      const place = { id: values.id, workspaceId: null };
      return { value: { ...(await requireChannel(context.database, place)), ...result } };
    },
  }),
  command({
    name: "channel update",
    description: "Change a channel; options that are left out change nothing.",
    args: { id },
    options: {
      name: optional("--name <name>", "Its name for people."),
      ...destinationOptions,
      ...requestOptions,
      ...filterOptions,
      ...digestOptions,
      translate: translation,
      noTranslate: noTranslation,
    },
    async run(context, values) {
      const change = { id: values.id, values: parseChannelOptions(values) };
      const { result, warning } = await operate(context, changeChannel, change);
      return { value: { ...result, warning } };
    },
  }),
  ...(["pause", "resume"] as const).map((verb) =>
    command({
      name: `channel ${verb}`,
      description:
        verb === "pause"
          ? "Stop a channel: what waits is cancelled, and nothing new is queued."
          : "Let a paused channel send again, from now on.",
      args: { id },
      async run(context, values) {
        const change = { id: values.id, values: { isPaused: verb === "pause" } };
        return { value: (await operate(context, changeChannel, change)).result };
      },
    }),
  ),
  command({
    name: "channel next-secret",
    description:
      "Create the secret that rotate-secret switches to. It signs nothing until then, so receivers can be given it first.",
    args: { id },
    async run(context, values) {
      return { value: (await operate(context, createNextSecret, values)).result };
    },
  }),
  command({
    name: "channel rotate-secret",
    description:
      "Switch a webhook channel to the secret of next-secret, else to a new one; webhook-signature carries both for WEBHOOK_SECRET_OVERLAP_HOURS.",
    args: { id },
    options: { endOldNow: flag("--end-old-now", "Sign with the new secret alone from now on.") },
    question: async () =>
      "Replace the secret? Receivers that check X-Service-Signature refuse events until they have the new one.",
    async run(context, values) {
      const { id, endOldNow } = values;
      const secretOverlapMs = endOldNow ? 0 : context.secretOverlapMs;
      return {
        value: (await operate({ ...context, secretOverlapMs }, rotateSecret, { id })).result,
      };
    },
  }),
  command({
    name: "channel end-old-secret",
    description: "Sign with the secret of the last rotation alone from now on.",
    args: { id },
    question: async () =>
      "End the old secret? Receivers that still have it refuse events from now on.",
    async run(context, values) {
      return { value: (await operate(context, endOldSecret, values)).result };
    },
  }),
  command({
    name: "channel test",
    description: "Send a sample event with invented data, and show the answer.",
    args: { id },
    options: {
      event: {
        ...optional("--event <name>", `${channelEventNames.join(", ")}; the first unless given.`),
        values: channelEventNames,
      },
      wait: unless("--no-wait", "Only queue it."),
    },
    async run(context, values) {
      const { clock, config, database, isJson } = context;
      const event =
        values.event === undefined
          ? undefined
          : parseField(z.enum(channelEventNames), { field: "event", value: values.event });
      const composeTest: OperationDeps["composeTest"] = (channel) =>
        toTestDelivery({ channel, now: clock.now(), event }, () => uuidV7(clock.now()));
      const request = { id: values.id, deps: { composeTest } };
      const { result: queued } = await operate(context, testChannel, request);
      if (!values.wait) return { value: queued };
      const { deliveryId } = queued;
      const timeoutMs = config.webhookTimeoutMs;
      const { isDelivered, ...outcome } = await waitForTestResult(database, {
        deliveryId,
        timeoutMs,
      });
      return {
        value: isJson ? { ...queued, ...outcome } : outcome.result,
        isFailed: !isDelivered,
      };
    },
  }),
  command({
    name: "channel delete",
    description: "Delete a channel with its pending deliveries.",
    args: { id },
    question: async ({ database }, values) => {
      const { name } = await requireChannel(database, { ...values, workspaceId: null });
      return `Delete the channel ${name} with its pending deliveries?`;
    },
    async run(context, values) {
      return { value: (await operate(context, removeChannel, values)).result };
    },
  }),
];

type TestResult = {
  isDelivered: boolean;
  status: number | null;
  durationMs: number | null;
  /** E.g. `204 in 12 ms`, or why the answer is missing. */
  result: string;
};

const pollMs = 100;
// Besides the attempt itself: until a worker has taken the delivery and has recorded the outcome.
const queueWaitMs = 5 * secondMs;

async function waitForTestResult(
  database: Pick<Database, "findDelivery">,
  test: { deliveryId: string; timeoutMs: number },
): Promise<TestResult> {
  const deadlineMs = monotonicMs() + test.timeoutMs + queueWaitMs;
  while (monotonicMs() < deadlineMs) {
    const delivery = await findDelivery(database, { id: test.deliveryId, workspaceId: null }).catch(
      nullIfGone,
    );
    if (delivery === null) {
      return { ...noAnswer, status: 410, result: "410: the channel was deleted" };
    }
    const [attempt] = delivery.attempts;
    if (attempt) {
      const { status, durationMs, reason } = attempt;
      // Not the delivery's status: it is read a moment before its attempts.
      const isDelivered = reason === null;
      // A mail server answers with no status of HTTP, but with words.
      const answer = status ?? reason ?? attempt.answer?.split("\n", 1)[0] ?? "delivered";
      // A failure without a status often took no time at all, such as a name that can't be resolved.
      const isAnswered = isDelivered || status !== null;
      const result = isAnswered ? `${answer} in ${durationMs} ms` : `${answer}`;
      return { isDelivered, status, durationMs, result };
    }
    await systemDelay(pollMs);
  }
  return { ...noAnswer, result: "not sent yet: is a service with the role deliver running?" };
}

const noAnswer = { isDelivered: false, status: null, durationMs: null };

// An answer of 410 deletes the channel with its deliveries.
function nullIfGone(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}
