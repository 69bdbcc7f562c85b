// The seam for signing in by an account elsewhere: a feature opens the provider that the settings name.
import type { Config } from "../config/config.ts";
import type { DashboardDeps } from "../dashboard-api/deps.ts";
import type { Clock } from "../lib/clock.ts";
import type { Http } from "../lib/http.ts";

/** null where the settings name none. */
export type OpenSignInProvider = (deps: {
  clock: Clock;
  config: Config;
  http: Http;
}) => DashboardDeps["signInProvider"];

/** At most one. */
export const signInProviders: (() => Promise<OpenSignInProvider>)[] = [];
