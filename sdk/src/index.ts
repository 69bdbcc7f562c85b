// The client and the webhook verification in one import; `@starpost/client/webhook` has the latter alone.
export {
  type CallOptions,
  type ChangeQuery,
  type ClientOptions,
  createClient,
  type PageQuery,
  type ReviewFilters,
  type StarpostClient,
  type TrendQuery,
} from "./client.ts";
export { ApiError, ConnectionError, type ErrorCode } from "./errors.ts";
export type {
  App,
  ChangePage,
  EventReview,
  IncludedFields,
  RatingDropEvent,
  RatingSummary,
  Review,
  ReviewCreatedEvent,
  ReviewEdits,
  ReviewPage,
  ReviewUpdatedEvent,
  ReviewVersion,
  SentimentLabel,
  StarpostEvent,
  Store,
  Trends,
  Week,
  WholeReview,
} from "./types.ts";
export {
  type HeaderSource,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookError,
  type WebhookFailure,
} from "./webhook.ts";
