// Creates and changes webhook channels. A change takes effect for everything not yet on the wire.
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel.ts";
import { AppError } from "../../domain/error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { SecretBox } from "../../lib/secret-box.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import type { ProviderChoice } from "../analysis/providers.ts";
import { recordAct } from "../audit.ts";
import { requireWorkspace } from "../members/workspaces.ts";
import { notFound, refuse, refuseFaults } from "../validation-errors.ts";
import {
  type ChannelChoice,
  type ReadChannel,
  readChannelChoice,
  warnOfChannel,
} from "./channel-input.ts";
import { writeSecret } from "./channel-secret.ts";
import { requireChannel } from "./channels.ts";

/** Whether deliveries may go to a URL; else why not, in words. */
export type CheckUrl = (url: string) => Promise<{ ok: true } | { ok: false; reason: string }>;

type Rooms = {
  clock: Clock;
  database: Pick<Database, "findApp" | "findChannel" | "findWorkspace" | "transaction">;
  secretBox: Pick<SecretBox, "seal">;
  checkUrl: CheckUrl;
  /** What the settings say of translating; who does not know is told nothing about it. */
  providers?: readonly ProviderChoice[];
  actor: string;
};

export async function createChannel(
  deps: Rooms,
  choice: ChannelChoice & { workspaceId: string },
): Promise<{ channel: Channel; secret: string; warning: string | null }> {
  const { id: workspaceId } = await requireWorkspace(deps.database, {
    field: "workspace",
    id: choice.workspaceId,
  });
  const read = await readAllowed(deps, { choice, workspaceId });
  const createdAt = deps.clock.now();
  const health = { failingSince: null, failingReason: null };
  const channel = { id: uuidV7(createdAt), workspaceId, ...read, createdAt, ...health };
  const secret = writeSecret();
  const sealedSecret = deps.secretBox.seal(secret, channel.id);
  await deps.database.transaction(async (tx) => {
    await tx.insertChannel({ ...channel, sealedSecret });
    const detail = { name: channel.name, url: channel.url };
    await recordAct(deps, tx, {
      action: "channel.created",
      subject: channel.id,
      workspaceId,
      detail,
    });
  });
  return { channel, secret, warning: warn(deps, channel) };
}

/** Replaces what is given and leaves the rest; what waits and is no longer wanted is cancelled. */
export async function updateChannel(
  deps: Omit<Rooms, "secretBox">,
  update: { id: string; workspaceId: string | null; change: Partial<ChannelChoice> },
): Promise<{ channel: Channel; cancelledCount: number; warning: string | null }> {
  const changed = Object.keys(update.change);
  if (changed.length === 0) refuse("id", "nothing to change was named");
  const before = await requireChannel(deps.database, update);
  const { workspaceId } = before;
  const choice = { ...before, ...update.change };
  const read = await readAllowed(deps, { choice, workspaceId, before });
  const { channel, cancelledCount } = await deps.database.transaction(async (tx) => {
    // Somebody else may have changed the rest meanwhile: only what was named is replaced.
    const current = await tx.lockChannel(before.id);
    if (!current) throw notFound("channel", before.id);
    const channel = { ...current, ...pickChanged(read, update.change) };
    await tx.updateChannel(channel);
    const act = { action: "channel.updated", subject: channel.id, workspaceId };
    await recordAct(deps, tx, { ...act, detail: { changed } });
    const now = deps.clock.now();
    return { channel, cancelledCount: await tx.cancelDeliveries({ channelId: channel.id, now }) };
  });
  return { channel, cancelledCount, warning: warn(deps, channel) };
}

function pickChanged(read: ReadChannel, change: Partial<ChannelChoice>): Partial<ReadChannel> {
  return Object.fromEntries(Object.entries(read).filter(([key]) => key in change));
}

function warn({ providers }: Pick<Rooms, "providers">, channel: Channel): string | null {
  const translating = providers?.find(({ kind }) => kind === "translate");
  return warnOfChannel(channel, { isTranslating: translating?.isAsked ?? true });
}

async function readAllowed(
  deps: Pick<Rooms, "database" | "checkUrl">,
  read: { choice: ChannelChoice; workspaceId: string; before?: Channel },
): Promise<ReadChannel> {
  const { channel, faults } = readChannelChoice(read.choice);
  refuseFaults(faults);
  // A URL that was allowed once must not keep a person from changing the rest.
  if (channel.url !== read.before?.url) {
    const allowed = await deps.checkUrl(channel.url);
    if (!allowed.ok) refuse("url", allowed.reason);
  }
  // An app that was removed since may stay in the list: it matches nothing.
  const known = new Set(read.before?.apps);
  for (const id of channel.apps ?? []) {
    if (known.has(id)) continue;
    const app = await deps.database.findApp({ id, workspaceId: read.workspaceId });
    if (!app) throw noSuchApp(id);
  }
  return channel;
}

function noSuchApp(id: string): AppError {
  const message = `the workspace has no app ${id}`;
  return new AppError("not_found", message, { fields: [{ field: "apps", message }] });
}
