// The client and the webhook verification in one import; `@starpost/client/webhook` has the latter alone.
export {
  type CallOptions,
  type ChangePage,
  type ChangeQuery,
  type ClientOptions,
  createClient,
  type ExportQuery,
  type IncludedFields,
  type Inputs,
  type Listed,
  type ManagedThings,
  type Manager,
  type PageQuery,
  type ReviewFilters,
  type Saved,
  type SentimentLabel,
  type StarpostClient,
  type WriteOptions,
} from "./client.ts";
export { ApiError, ConnectionError, type ErrorCode } from "./errors.ts";
export type * from "./types.ts";
export {
  type HeaderSource,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookFailure,
} from "./webhook.ts";
