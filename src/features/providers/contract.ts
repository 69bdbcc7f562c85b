// The route of the dashboard that translates what is stored of an app.
import type { Carries } from "../../dashboard-api/contract/route.ts";
import type { translateApp } from "./operations.ts";

export type ProviderRoutes = {
  /** Queues every review that is neither English nor translated. 409 when no translator is set up. */
  "POST /workspaces/:workspace/apps/:app/translate": Carries<
    { queued: number; warning: string | null },
    typeof translateApp
  >;
};
