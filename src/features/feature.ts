// A feature is a folder of its own. It hands rows to the tables of the core, which loop over them: the core imports no feature,
// and no feature imports another. Without its folder and its line in app/features.ts the product builds and lacks it.
import type { ApiPath } from "../api/api-paths.ts";
import type { AnyEndpoint } from "../api/endpoint.ts";
import type { ManageRoute } from "../api/manage/manage-route.ts";
import type { Container } from "../app/container.ts";
import type { FileReport } from "../app/file-report.ts";
import type { ListOutsideChecks } from "../app/outside-checks.ts";
import type { Providers } from "../app/providers.ts";
import type { OpenSignInProvider } from "../app/sign-in-provider.ts";
import type { StoreAccounts } from "../app/store-accounts.ts";
import type { Config, Role } from "../config/config.ts";
import type { OpenHealer } from "../crawling/healer.ts";
import type { DashboardRoute } from "../dashboard-api/dashboard-route.ts";
import type { PublicPart } from "../dashboard-api/public-parts.ts";
import type { LabelReviews } from "../database/labelers.ts";
import type { OwnDatabase } from "../database/own-database.ts";
import type { AlertName } from "../domain/channel/channel.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import type { NounOperations } from "../operations/operations.ts";
import type {
  ReadIncidents,
  ReadReplyOutcomes,
  ReadVerdicts,
} from "../use-cases/apps/feature-readers.ts";
import type { AlertFinder } from "../use-cases/channels/alert-finders.ts";
import type { Ending } from "../use-cases/endings.ts";
import type { ListReaders } from "../use-cases/outgoing/readers.ts";
import type { PortableKind } from "../use-cases/portable-kinds.ts";

/** The service, without its doors. */
export type FeatureContext = Container;

/** Runs until the resources are closed. */
type OpenWorker = (context: FeatureContext, resources: ResourceStack) => void;

export type Feature = {
  /** The name of its folder. */
  name: string;
  /** Nouns with their operations, or operations of a noun of the core: at every door. */
  nouns?: readonly NounOperations[];
  /** Lines of the export of a workspace. */
  portableKinds?: readonly PortableKind[];
  label?: LabelReviews;
  /** Routes of the dashboard's API. */
  loadRoutes?(): Promise<readonly DashboardRoute[]>;
  /** Paths that people and programs call without signing in. */
  loadPublicParts?(): Promise<readonly PublicPart[]>;
  /** Endpoints of the read API. */
  loadEndpoints?(): Promise<readonly AnyEndpoint[]>;
  /** Routes by which programs manage a workspace, beside those of operations. */
  loadManageRoutes?(): Promise<readonly ManageRoute[]>;
  /** Paths beside the read API. */
  loadApiPaths?(): Promise<readonly ApiPath[]>;
  /** Events that channels can choose besides those of the contract. */
  events?: readonly AlertName[];
  /** How a report reads a file. */
  loadFileReport?(): Promise<FileReport>;
  loadDatabase?(): Promise<OwnDatabase>;
  readVerdicts?: ReadVerdicts;
  readIncidents?: ReadIncidents;
  readReplyOutcomes?: ReadReplyOutcomes;
  alertFinders?: readonly AlertFinder[];
  loadHealer?(): Promise<OpenHealer>;
  loadStoreAccounts?(): Promise<StoreAccounts>;
  ending?: Ending;
  /** Programs and people that read a workspace past the API. */
  listReaders?: ListReaders;
  providers?: Providers;
  loadSignInProvider?(): Promise<OpenSignInProvider>;
  /** @throws AppError `invalid_setting` */
  checkSettings?(config: Config): unknown;
  /** Checks of `starpost doctor`. */
  loadOutsideChecks?(): Promise<ListOutsideChecks>;
  workers?: readonly { role: Role; load(): Promise<OpenWorker> }[];
};
