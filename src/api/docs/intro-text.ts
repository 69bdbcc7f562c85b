// The introduction to the API in Markdown: what the schemas can't say. It opens the OpenAPI document and the
// reference page.

import { topicNames } from "../../domain/topics.ts";
import { keyLimit } from "../../http/rate-limit.ts";
import { pageSizeDefault, pageSizeMax } from "../parameters.ts";

export const about = `
A read-only JSON API for the reviews, ratings and trends of the apps that your workspace follows. Webhooks deliver the same reviews to you as they arrive.

All responses are JSON in UTF-8. Timestamps are ISO 8601 in UTC; days are \`YYYY-MM-DD\`. Fields may be added within version 1; existing ones stay.

## Authentication

Send an API key with every request. A key belongs to one workspace and reads that workspace's data only. Create one on the API keys page; it is shown once. The read API is part of the Studio plan.

\`\`\`
Authorization: Bearer <API_KEY>
\`\`\`

## Rate limit

At most ${keyLimit.perMinute} requests in any 60 seconds are accepted for one key. Responses carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. Beyond the limit the response is 429 with \`Retry-After\` in seconds: a request after that wait is accepted. Every other response to a valid key counts, errors too.

## Pages

\`GET /reviews\` returns ${pageSizeDefault} reviews unless \`limit\` (at most ${pageSizeMax}) is set. Pass \`nextCursor\` back as \`cursor\`, unchanged and with the same filters, until it is null. Reviews that arrive meanwhile neither shift nor repeat a page. Cursors do not expire.

## Keeping a copy

\`GET /reviews?updatedSince=2008-01-01T00:00:00Z\` lists reviews in the order in which they changed: new, edited, analysed or translated. Follow \`nextCursor\` until it is null, then begin again with the header \`Updated-Until\` of the last page as \`updatedSince\`. Nothing is lost in between.

## Caching

Every response has an \`ETag\`. Send it back as \`If-None-Match\`: while nothing changed, the response is an empty 304. Responses are compressed with gzip or brotli when you accept it.

## Topics

Analysed reviews have any of these: ${topicNames.map((name) => `\`${name}\``).join(", ")}.

## Errors

Errors are problem details (RFC 9457, \`application/problem+json\`). Decide by \`code\`: it is stable. With \`invalid_parameter\`, \`errors\` names every invalid parameter at once. \`requestId\` is also in the \`X-Request-Id\` header of every response.

\`\`\`
{
  "type": "/docs#error-invalid_parameter",
  "title": "Invalid parameter",
  "status": 400,
  "detail": "\`rating\` must be a whole number from 1 to 5.",
  "code": "invalid_parameter",
  "errors": [
    { "parameter": "rating", "message": "must be a whole number from 1 to 5" }
  ],
  "requestId": "0f3c1c1e-7c55-4c1e-9a36-3f1f8f7d2b10"
}
\`\`\`
`.trim();

export const webhookAbout = `
Sent as POST to the URL of each channel whose filters match. Verify \`X-Service-Signature\` before anything else: \`sha256=\` and the hexadecimal HMAC-SHA256 of the raw body, keyed by the whole signing secret. Compute it over the bytes as they arrived, compare in constant time, and refuse a mismatch.

Respond with 2xx promptly and process the event afterwards. 410 deletes the channel; anything else is retried. The same delivery can arrive twice and out of order: key by \`review.id\`.
`.trim();
