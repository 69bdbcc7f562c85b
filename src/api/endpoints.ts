// The endpoints of the read API.

import { appsEndpoint } from "./apps/endpoint.ts";
import { coverageEndpoint } from "./coverage/endpoint.ts";
import { editsEndpoint } from "./edits/endpoint.ts";
import type { AnyEndpoint } from "./endpoint.ts";
import { ratingHistoryEndpoint } from "./rating-history/endpoint.ts";
import { ratingsEndpoint } from "./ratings/endpoint.ts";
import { releasesEndpoint } from "./releases/endpoint.ts";
import { reviewEndpoint } from "./review/endpoint.ts";
import { reviewsEndpoint } from "./reviews/endpoint.ts";
import { topicsEndpoint } from "./topics/endpoint.ts";
import { trendsEndpoint } from "./trends/endpoint.ts";

/** In the order of the document: a table, features add theirs. */
export const endpoints: AnyEndpoint[] = [
  appsEndpoint,
  reviewsEndpoint,
  ratingsEndpoint,
  trendsEndpoint,
  topicsEndpoint,
  editsEndpoint,
  reviewEndpoint,
  ratingHistoryEndpoint,
  releasesEndpoint,
  coverageEndpoint,
];
