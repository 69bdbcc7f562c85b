// The dashboard of a service: the console over the rooms, the built pages, and the way in for the first
// person.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findTopicEvidence } from "./analyse/steps.ts";
import { topicNames } from "./analyse/topics.ts";
import { type Console, openConsole } from "./console/console.ts";
import { readPageFiles } from "./console/static-files.ts";
import type { Closers } from "./lib/closers.ts";
import { openHttpClient } from "./lib/http-client.ts";
import { secondMs } from "./lib/timestamp.ts";
import { uuidV7 } from "./lib/uuid.ts";
import { claimBySettings, openSetup } from "./manage/setup.ts";
import { toTestDelivery } from "./match/deliveries.ts";
import { matchRatingDrop } from "./match/rating-drop.ts";
import { listProviderChoices } from "./provider-workers.ts";
import { type Channel, channelDefaults } from "./reviews/channel.ts";
import { AppError } from "./reviews/error.ts";
import type { Rooms } from "./rooms.ts";
import { version } from "./version.ts";

// Beside the built code; run from its source, the service takes the last build.
const folder = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../dist/dashboard" : "../dashboard", import.meta.url),
);

export async function openDashboard(rooms: Rooms, closers: Closers): Promise<Console> {
  const { clock, config, keep, log, stores, secretBox, checkUrl } = rooms;
  const files = await readPageFiles(folder);
  if (files.size === 0) {
    log.warn(
      { folder: path.relative(process.cwd(), folder) },
      "the dashboard's pages are not built",
    );
  }
  // Of its own: pictures are not what stores limit, and no page must wait for a pass.
  const pictures = openHttpClient({
    userAgent: `Starpost/${version}`,
    totalTimeoutMs: 10 * secondMs,
    bodyBytesMax: 1024 * 1024,
    connectionsPerHost: 4,
  });
  closers.add(() => pictures.close());
  return openConsole({
    files,
    rooms: {
      clock,
      log,
      keep,
      stores,
      secretBox,
      checkUrl,
      sealKey: rooms.cursorKey,
      http: pictures.http,
      composeTest: (channel) =>
        toTestDelivery({ channel, now: clock.now() }, () => uuidV7(clock.now())),
      findEvidence: findTopicEvidence,
      judgeDrop: ({ filters, appId, ...day }) =>
        matchRatingDrop({ channel: { ...nobodysChannel, ...filters }, app: { id: appId }, ...day })
          .kind,
      topicNames,
      providers: listProviderChoices(config),
      settings: {
        publicUrl: config.publicUrl,
        defaultPlan: config.defaultPlan,
        version,
        storeBaseUrls: [config.itunesBaseUrl, config.appleAppsBaseUrl, config.googlePlayBaseUrl],
      },
    },
  });
}

/** For a choice that is not a channel yet. */
const nobodysChannel: Channel = {
  ...channelDefaults,
  id: "",
  workspaceId: "",
  name: "",
  url: "",
  createdAt: new Date(0),
  failingSince: null,
  failingReason: null,
};

/** While nobody has an account: makes the one of the settings, or writes a set-up link into the log. */
export async function announceSetup(rooms: Rooms, url: string): Promise<void> {
  const { clock, config, keep, log } = rooms;
  const setup = { clock, keep, defaultPlan: config.defaultPlan };
  const { adminEmail: email, adminPassword: password } = config;
  if ((email === null) !== (password === null)) {
    throw new AppError("invalid_setting", "ADMIN_EMAIL and ADMIN_PASSWORD go together");
  }
  if (email !== null && password !== null) return claimAsSet(setup, { email, password });
  const open = await openSetup(setup);
  if (!open) return;
  const link = `${config.publicUrl ?? url}/setup#${open.token}`;
  log.info({ link }, "nobody has an account yet: open this link to make the first one");
}

async function claimAsSet(
  setup: Parameters<typeof claimBySettings>[0],
  admin: { email: string; password: string },
): Promise<void> {
  try {
    await claimBySettings(setup, admin);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_input") throw error;
    const message = `ADMIN_EMAIL, ADMIN_PASSWORD: ${error.message}`;
    throw new AppError("invalid_setting", message, { cause: error });
  }
}
