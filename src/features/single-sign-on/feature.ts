// Single sign-on: people sign in by an account at a provider of OpenID Connect, whose rules may decide who comes in as what.
import type { Feature } from "../feature.ts";
import { readProviderSettings } from "./settings.ts";

export const singleSignOn: Feature = {
  name: "single-sign-on",
  checkSettings: readProviderSettings,
  loadSignInProvider: async () => (await import("./provider.ts")).openProvider,
  loadOutsideChecks: async () => (await import("./check-provider.ts")).listProviderChecks,
  loadRoutes: async () => (await import("./routes.ts")).singleSignOnRoutes,
  loadPublicParts: async () => [(await import("./public-part.ts")).providerCallback],
};
