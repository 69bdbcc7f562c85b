// The routes of the dashboard's API that the pages call: those of the core and of the features.
import type { Routes as CoreRoutes } from "../dashboard-api/contract/routes.ts";
import type { ExportRoutes } from "../features/exports/contract.ts";
import type { ImportRoutes } from "../features/imports/contract.ts";
import type { TopicRoutes } from "../features/own-topics/contract.ts";
import type { ProviderRoutes } from "../features/providers/contract.ts";
import type { ReplyRoutes } from "../features/replies/contract.ts";
import type { SharingRoutes } from "../features/sharing/contract.ts";
import type { SingleSignOnRoutes } from "../features/single-sign-on/contract.ts";
import type { AccountRoutes } from "../features/store-accounts/contract.ts";
import type { TriageRoutes } from "../features/triage/contract.ts";

type FeatureRoutes = [
  AccountRoutes, // store-accounts
  ExportRoutes, // exports
  ImportRoutes, // imports
  ProviderRoutes, // providers
  ReplyRoutes, // replies
  SharingRoutes, // sharing
  SingleSignOnRoutes, // single-sign-on
  TopicRoutes, // own-topics
  TriageRoutes, // triage
];

type Joined<Tables extends readonly unknown[]> = Tables extends readonly [infer One, ...infer Rest]
  ? One & Joined<Rest>
  : unknown;

export type Routes = CoreRoutes & Joined<FeatureRoutes>;
export type RouteName = keyof Routes;
