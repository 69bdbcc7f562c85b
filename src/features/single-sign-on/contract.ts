// Sign-in by an account at the provider.
import type { Route } from "../../dashboard-api/contract/route.ts";
import type { providerStart } from "./attempt.ts";
import type { ProviderRefusal } from "./sign-in.ts";

/** The reasons for which an answer of the provider opens no session; the page has a sentence for each. */
export type SignInProblem = ProviderRefusal | "expired" | "provider" | "link";

export type SingleSignOnRoutes = {
  /**
   * The provider's page to open. It leads back to `/auth/oidc/callback`, which signs in and goes on to `returnTo`, or to
   * `/sign-in-problem#<reason>`. 503 when the provider can't be reached.
   */
  "POST /session/provider": Route<{ url: string }, typeof providerStart>;
};
