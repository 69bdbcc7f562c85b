// Checks for `starpost doctor` that really talk to each outside system that the settings and the database name: the mail
// server, the hosts of channels, store accounts, the pooler, and those of features. They send no message and change nothing;
// a translator is asked for one word.

import { readEncryptionKeys } from "../../app/encryption-key.ts";
import { readMailSettings } from "../../app/mail-settings.ts";
import { type OutsideCheck, type OutsideDeps, outsideChecks } from "../../app/outside-checks.ts";
import { loadStoreAccounts } from "../../app/store-accounts.ts";
import { type Config, outgoingProxyOf } from "../../config/config.ts";
import type { Database } from "../../database/database.ts";
import { openMailer } from "../../delivery/channel-types/email/mailer.ts";
import { openHostNames } from "../../delivery/send/host-names.ts";
import { openSender } from "../../delivery/send/send.ts";
import { openUrlPolicy } from "../../delivery/send/url-check.ts";
import { messageOf } from "../../lib/errors.ts";
import { findNotificationFault } from "../../lib/postgres/check-notifications.ts";
import { connectionOf } from "../../lib/postgres/primary-client.ts";
import { createSecretBox } from "../../lib/secret-box.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { canParseUrl } from "../../lib/urls.ts";
import { createUnthrottledStores } from "./check-stores.ts";

const timeoutMs = 10 * secondMs;
const hostsMax = 20;
const accountsMax = 10;

/** The systems that the settings name. */
export async function listSettingChecks(deps: OutsideDeps): Promise<OutsideCheck[]> {
  const { config } = deps;
  const { databaseListenUrl, databaseUrl } = config;
  const checks: [boolean, string, () => Promise<string>][] = [
    [config.smtpUrl !== null, "mail server", () => checkMail(config)],
    [config.outgoingProxy !== null, "outgoing proxy", () => checkProxy(deps)],
    [
      databaseUrl !== null,
      "notifications",
      () => checkListen(databaseListenUrl ?? databaseUrl ?? ""),
    ],
  ];
  const ofFeatures = await Promise.all(outsideChecks.map(async (load) => (await load())(deps)));
  const own = checks.flatMap(([isUsed, name, run]) => (isUsed ? [{ name, run }] : []));
  return [...own, ...ofFeatures.flat()];
}

async function checkMail(config: Config): Promise<string> {
  const settings = readMailSettings(config);
  if (settings === null) throw new Error("SMTP_URL needs EMAIL_FROM");
  const { host, port, auth } = settings.server;
  const fault = await openMailer({ ...settings, timeoutMs }).findFault();
  if (fault !== null) throw new Error(`${host}:${port}: ${fault.reason}`);
  return `${host}:${port} ${auth === null ? "greets" : "accepts the user"}`;
}

async function checkProxy({ config, http }: OutsideDeps): Promise<string> {
  const result = await http({ method: "GET", url: `${config.itunesBaseUrl}/robots.txt` });
  if (result.kind === "failed" && result.reason !== "redirected") throw new Error(result.detail);
  return `${new URL(config.itunesBaseUrl).host} answers through it`;
}

async function checkListen(url: string): Promise<string> {
  const fault = await findNotificationFault(connectionOf(url));
  if (fault !== null) throw new Error(fault);
  return "they arrive";
}

/** The systems that the database names: the hosts of channels, and store accounts that read an app. */
export async function listStoredChecks(
  deps: OutsideDeps,
  database: Pick<Database, "listChannels" | "listApps" | "findCredentialSecret">,
): Promise<OutsideCheck[]> {
  const channels = await database.listChannels({ workspaceId: null });
  const origins = channels.flatMap(({ url }) => (canParseUrl(url) ? [new URL(url).origin] : []));
  const hosts = [...new Set(origins)].filter((origin) => origin !== "null").slice(0, hostsMax);
  const apps = await database.listApps({ workspaceId: null });
  const byAccount = new Map(
    apps.flatMap((app) => (app.credentialId ? [[app.credentialId, app] as const] : [])),
  );
  const http = { http: deps.http, wrapStore: <Kept>(store: Kept): Kept => store };
  const stores = createUnthrottledStores(deps.config, deps);
  return [
    ...hosts.map((origin) => ({ name: "channel", run: () => checkHost(deps, origin) })),
    ...[...byAccount].slice(0, accountsMax).map(([id, app]) => ({
      name: "store account",
      run: async () => {
        const { externalAppId, listingId, countries, name } = app;
        const secretBox = createSecretBox((await readEncryptionKeys(deps.config)) ?? []);
        const { createClients } = await loadStoreAccounts();
        const open = createClients({ ...deps, database, http, stores, secretBox });
        const client = await open(id, listingId);
        const region = countries[0] ?? "us";
        const page = await client.fetchReviews({ externalAppId, region, cursor: null });
        if (page.outcome === "unknown") throw new Error(`${name}: ${page.reason}`);
        return `reads ${name}`;
      },
    })),
  ];
}

/** Any answer will do: name, address, proxy, certificate and port are right then. Nothing secret is sent. */
async function checkHost({ config, clock }: OutsideDeps, origin: string): Promise<string> {
  const { webhookAllowHttp: allowHttp, webhookAllowedCidrs: allowedCidrs } = config;
  const policy = openUrlPolicy({ allowHttp, allowedCidrs });
  const names = openHostNames({ clock, addresses: policy.addresses });
  const sender = openSender({ policy, names, timeoutMs, proxy: outgoingProxyOf(config) });
  try {
    const target = sender.check(origin);
    const body = Buffer.alloc(0);
    const isFresh = () => true;
    const posted = await sender.post({ target, method: "GET", headers: [], body, isFresh });
    if (posted.kind === "answered" && posted.status === null) {
      throw new Error(`${origin}: ${posted.reason}`);
    }
    return `${origin} answers`;
  } catch (error) {
    throw new Error(messageOf(error), { cause: error });
  } finally {
    await sender.close();
  }
}
