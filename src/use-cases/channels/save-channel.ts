// Creates and changes webhook channels. A change takes effect for everything that is not being sent yet.
import type { Database } from "../../database/database.ts";
import {
  type Channel,
  type ChannelFilters,
  type ChannelInput,
  channelInputSchema,
  describeChannelWarnings,
} from "../../domain/channel.ts";
import { AppError } from "../../domain/error.ts";
import { failField, notFound, parseInput } from "../../domain/validation-errors.ts";
import type { SecretBox } from "../../lib/secret-box.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import type { ProviderConfig } from "../analysis/providers.ts";
import { recordAudit } from "../audit.ts";
import { assertBelowLimit, type LimitedDeps } from "../members/workspace-limits.ts";
import { requireWorkspace } from "../members/workspaces.ts";
import { generateSigningSecret } from "./channel-secret.ts";
import { requireChannel } from "./channels.ts";

/** Whether deliveries may go to a URL; else why not, in words. */
export type CheckUrl = (url: string) => Promise<{ ok: true } | { ok: false; reason: string }>;

export type SaveChannelDeps = LimitedDeps & {
  database: Pick<Database, "findApp" | "findChannel" | "findWorkspace" | "transaction">;
  secretBox: Pick<SecretBox, "seal">;
  checkUrl: CheckUrl;
  /** What the settings say of translating; without it nobody is warned. */
  providers?: readonly ProviderConfig[];
  actor: string;
};

/** @throws AppError `invalid_input`, `not_found` for the workspace or one of the apps, `conflict` for one too many */
export async function createChannel(
  deps: SaveChannelDeps,
  input: ChannelInput & { workspaceId: string },
): Promise<{ channel: Channel; secret: string; warning: string | null }> {
  const { id: workspaceId } = await requireWorkspace(deps.database, {
    field: "workspace",
    id: input.workspaceId,
  });
  const checked = await parseChannel(deps, { input, workspaceId });
  const createdAt = deps.clock.now();
  const health = { failingSince: null, failingReason: null };
  const channel = { id: uuidV7(createdAt), workspaceId, ...checked, createdAt, ...health };
  const secret = generateSigningSecret();
  const encryptedSecret = deps.secretBox.seal(secret, channel.id);
  await deps.database.transaction(async (tx) => {
    await assertBelowLimit(deps, tx, { workspaceId, kind: "channels" });
    await tx.insertChannel({ ...channel, encryptedSecret });
    const detail = { name: channel.name, url: channel.url };
    await recordAudit(deps, tx, {
      action: "channel.created",
      subject: channel.id,
      workspaceId,
      detail,
    });
  });
  return { channel, secret, warning: warningOf(deps, channel) };
}

/**
 * Changes the named fields only; pending deliveries that no longer match are cancelled.
 *
 * @throws AppError `invalid_input`, or `not_found` for the channel or one of the apps
 */
export async function updateChannel(
  deps: Omit<SaveChannelDeps, "secretBox">,
  update: { id: string; workspaceId: string | null; change: Partial<ChannelInput> },
): Promise<{ channel: Channel; cancelledCount: number; warning: string | null }> {
  const changed = Object.keys(update.change);
  if (changed.length === 0) failField("id", "nothing to change was named");
  const before = await requireChannel(deps.database, update);
  const { workspaceId } = before;
  const input = { ...before, ...update.change };
  const checked = await parseChannel(deps, { input, workspaceId, before });
  const { channel, cancelledCount } = await deps.database.transaction(async (tx) => {
    // Somebody else may have changed the rest meanwhile: only what was named is replaced.
    const current = await tx.lockChannel(before.id);
    if (!current) throw notFound("channel", before.id);
    const channel = { ...current, ...pickChanged(checked, update.change) };
    await tx.updateChannel(channel);
    const act = { action: "channel.updated", subject: channel.id, workspaceId };
    await recordAudit(deps, tx, { ...act, detail: { changed } });
    const now = deps.clock.now();
    return { channel, cancelledCount: await tx.cancelDeliveries({ channelId: channel.id, now }) };
  });
  return { channel, cancelledCount, warning: warningOf(deps, channel) };
}

function pickChanged<Fields extends object>(
  checked: Fields,
  change: Partial<ChannelInput>,
): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(checked).filter(([key]) => key in change),
  ) as Partial<Fields>;
}

function warningOf({ providers }: Pick<SaveChannelDeps, "providers">, channel: Channel) {
  const translating = providers?.find(({ kind }) => kind === "translate");
  return describeChannelWarnings(channel, { isTranslating: translating?.isEnabled ?? true });
}

async function parseChannel(
  deps: Pick<SaveChannelDeps, "database" | "checkUrl">,
  save: { input: ChannelInput; workspaceId: string; before?: Channel },
): Promise<ChannelFilters & { name: string; url: string }> {
  const channel = parseInput(channelInputSchema, save.input);
  // A URL that was allowed once must not prevent other changes of the channel.
  if (channel.url !== save.before?.url) {
    const allowed = await deps.checkUrl(channel.url);
    if (!allowed.ok) failField("url", allowed.reason);
  }
  // An app that was removed since may stay in the list: it matches nothing.
  const known = new Set(save.before?.apps);
  for (const id of channel.apps ?? []) {
    if (known.has(id)) continue;
    const app = await deps.database.findApp({ id, workspaceId: save.workspaceId });
    if (!app) throw appNotFound(id);
  }
  return channel;
}

function appNotFound(id: string): AppError {
  const message = `the workspace has no app ${id}`;
  return new AppError("not_found", message, { fields: [{ field: "apps", message }] });
}
