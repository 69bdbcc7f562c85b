// Everything that a service can be connected with, on loopback: stores with their official APIs and a bucket, a translator, a
// model, a mail server and a sign-in provider; and the settings that switch all of them on.
import { createSampleStores } from "../../simulator/sample-stores.ts";
import { openSimulator } from "../../simulator/simulator.ts";
import { generateStoreKeys, type StoreKeys } from "../../simulator/store-keys.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { findFreePort } from "./free-port.ts";
import { openMailServer } from "./mail-server.ts";
import { clientId, clientSecret, type OpenIdServer, openOpenIdServer } from "./open-id-server.ts";
import { doubleKey, openChatDouble, openLibreTranslateDouble } from "./provider-doubles.ts";

export type AllParts = {
  storesUrl: string;
  storeKeys: StoreKeys;
  idp: OpenIdServer;
  env: Record<string, string>;
  close(): Promise<void>;
};

export async function openAllParts(): Promise<AllParts> {
  const resources = new ResourceStack();
  const { storeState } = createSampleStores({ clock: systemClock, pastDays: 3, aheadDays: 0 });
  const storeKeys = generateStoreKeys();
  const { accounts } = storeKeys;
  const stores = await openSimulator({ clock: systemClock, storeState, accounts });
  const translator = await openLibreTranslateDouble();
  const model = await openChatDouble(() => ({ reviews: [] }));
  const mails = await openMailServer();
  const idp = await openOpenIdServer();
  for (const one of [stores, translator, model, mails, idp]) resources.add(() => one.close());
  const port = String(await findFreePort());
  const publicUrl = `http://127.0.0.1:${port}`;
  idp.redirectTo(`${publicUrl}/auth/oidc/callback`);
  return {
    storesUrl: stores.url,
    storeKeys,
    idp,
    env: {
      PORT: port,
      PUBLIC_URL: publicUrl,
      METRICS_PORT: "0",
      GOOGLE_OAUTH_BASE_URL: stores.url,
      GOOGLE_STORAGE_BASE_URL: stores.url,
      TRANSLATE_PROVIDER: "libretranslate",
      TRANSLATE_URL: translator.url,
      TRANSLATE_API_KEY: doubleKey,
      ANALYSIS_PROVIDER: "openai",
      ANALYSIS_URL: model.url,
      ANALYSIS_API_KEY: doubleKey,
      ANALYSIS_MODEL: "small-1",
      SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      EMAIL_FROM: "starpost@example.com",
      OIDC_ISSUER: idp.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_SIGN_UP: "member",
      OIDC_ROLES: "staff=member,boss=owner",
    },
    close: () => resources.closeAll(),
  };
}
