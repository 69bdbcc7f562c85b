// The client and the webhook verification in one import; `@starpost/client/webhook` has the latter alone.
export {
  type ChangePage,
  type ChangeQuery,
  createClient,
  type IncludedFields,
  type ReviewFilters,
  type SentimentLabel,
  type StarpostClient,
} from "./client.ts";
export { ApiError, ConnectionError, type ErrorCode } from "./errors.ts";
export type { Inputs, Listed, ManagedThings, Manager, Saved } from "./manager.ts";
export type { ExportQuery, PageQuery } from "./review-lists.ts";
export type { CallOptions, ClientOptions, WriteOptions } from "./transport.ts";
export type * from "./types.ts";
export {
  type HeaderSource,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookFailure,
} from "./webhook.ts";
