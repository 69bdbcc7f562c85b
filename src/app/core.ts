// The part of the container that every command needs: the database, the keys, and the check of a
// webhook's URL. It loads neither stores nor analysis, so that a command starts quickly.

import type { Config } from "../config/config.ts";
import type { Database } from "../database/database.ts";
import { checkHost } from "../delivery/channel-types/chat-service.ts";
import { findChatService } from "../delivery/channel-types/resolve-endpoint.ts";
import { openHostNames } from "../delivery/send/host-names.ts";
import { checkWebhookTarget, checkWebhookUrl, openUrlPolicy } from "../delivery/send/url-check.ts";
import type { WorkspaceLimits } from "../domain/people/workspace.ts";
import { createRateLimits, type OpenRateLimit } from "../http/rate-limit.ts";
import { type Clock, monotonicMs } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { createSecretBox, type SecretBox } from "../lib/secret-box.ts";
import { createSteadyClock } from "../lib/steady-clock.ts";
import { hourMs, secondMs } from "../lib/timestamp.ts";
import type { CheckUrl } from "../use-cases/channels/parse-destination.ts";
import { checkSettings } from "./check-settings.ts";
import { deriveKeys, loadEncryptionKeys, reencryptSecrets } from "./encryption-key.ts";
import { createDomainCheck, readMailSettings } from "./mail-settings.ts";
import { openMigratedDatabase } from "./open-database.ts";

export type ContainerOptions = {
  config: Config;
  log: Log;
  /** The database's by default. */
  clock?: Clock;
  /** Called with a sentence before each step that takes a moment. */
  onProgress?: (sentence: string) => void;
};

export type Core = {
  config: Config;
  log: Log;
  clock: Clock;
  database: Database;
  secretBox: SecretBox;
  /** How long the secret of a channel before its rotation signs as well. */
  secretOverlapMs: number;
  workspaceLimits: WorkspaceLimits;
  ownedWorkspacesMax: number;
  /** Whether a channel of a type may have this URL; the reason names the setting that would allow it. */
  checkUrl: CheckUrl;
  openRateLimit: OpenRateLimit;
  /** Authenticate cursors; the same in every process. */
  cursorKeys: readonly [Buffer, ...Buffer[]];
  /** Names of the migrations that were applied by opening. */
  appliedMigrations: readonly string[];
};

/**
 * @param options.creates whether an installation is made, and brought to this version, where there is none
 * @throws AppError `invalid_setting` or `unavailable`; what was opened is in `resources`
 */
export async function openCore(
  options: ContainerOptions & { creates: boolean },
  resources: ResourceStack,
): Promise<Core> {
  const { config, log } = options;
  // First, so that a missing setting is reported before anything is opened.
  checkSettings(config);
  const { database, appliedMigrations } = await openMigratedDatabase(options, resources);
  const clock = options.clock ?? (await openDatabaseClock({ database, log }, resources));
  const keys = await loadEncryptionKeys({ clock, config, database });
  const secretBox = createSecretBox(keys);
  const secretCount = await reencryptSecrets({ clock, database }, { box: secretBox, keys });
  if (secretCount > 0) {
    log.info({ secretCount }, "secrets were encrypted again with the first key of ENCRYPTION_KEY");
  }
  return {
    config,
    log,
    clock,
    database,
    secretBox,
    secretOverlapMs: config.webhookSecretOverlapHours * hourMs,
    workspaceLimits: {
      apps: config.workspaceAppsMax,
      channels: config.workspaceChannelsMax,
      keys: config.workspaceKeysMax,
      members: config.workspaceMembersMax,
    },
    ownedWorkspacesMax: config.ownedWorkspacesMax,
    checkUrl: createUrlCheck(config, clock),
    // A clock that was handed in moves the windows as well.
    openRateLimit: createRateLimits({
      clock,
      log,
      database: database.control(),
      databaseNow: () => options.clock?.now() ?? null,
    }),
    cursorKeys: deriveKeys(keys, "cursors"),
    appliedMigrations,
  };
}

function createUrlCheck(config: Config, clock: Clock): Core["checkUrl"] {
  const policy = openUrlPolicy({
    allowHttp: config.webhookAllowHttp,
    allowedCidrs: config.webhookAllowedCidrs,
  });
  const names = openHostNames({ clock, addresses: policy.addresses });
  const isAllowed = createDomainCheck(config.emailAllowedDomains);
  const deps = { sender: { check: (url: string) => checkWebhookUrl(url, policy) } };
  return async (url, type) => {
    if (type === "email") {
      const reason = "no mail server is set up: SMTP_URL and EMAIL_FROM";
      if (readMailSettings(config) === null) return { ok: false, reason };
      const elsewhere = `${url} is not in a domain of EMAIL_ALLOWED_DOMAINS`;
      return isAllowed(url) ? { ok: true } : { ok: false, reason: elsewhere };
    }
    const service = findChatService(type);
    const checked = service
      ? checkHost({ ...deps, moreHosts: config.channelHosts }, { service, url })
      : await checkWebhookTarget(url, { policy, names });
    return checked.kind === "ok" ? { ok: true } : { ok: false, reason: checked.reason };
  };
}

const observeMs = 20 * secondMs;
// An answer that took longer says too little about now.
const roundTripMsMax = secondMs / 2;

/** Reads the database's time until the resources are closed. */
export async function openDatabaseClock(
  { database, log }: { database: Pick<Database, "readTime">; log: Log },
  resources: ResourceStack,
): Promise<Clock> {
  const clock = createSteadyClock(await database.readTime());
  const observe = async (): Promise<void> => {
    const startedMs = monotonicMs();
    try {
      const moment = await database.readTime();
      const tookMs = monotonicMs() - startedMs;
      if (tookMs <= roundTripMsMax) clock.observe(new Date(moment.getTime() + tookMs / 2));
    } catch (error) {
      // The clock runs on; the next reading corrects it.
      log.debug({ err: error }, "could not read the time of the database");
    }
  };
  let observing = Promise.resolve();
  const timer = setInterval(() => {
    observing = observing.then(observe);
  }, observeMs);
  timer.unref();
  resources.add(async () => {
    clearInterval(timer);
    await observing;
  });
  return clock;
}
