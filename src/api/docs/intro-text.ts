// What the schemas can't say about the API, in Markdown: it opens the OpenAPI document and with it the
// reference page.

import { pageSizeDefault, pageSizeMax } from "../parameters.ts";
import { keyLimit } from "../memory-rate-limit.ts";

export const about = `
A read-only JSON API for the reviews, ratings and trends of the apps that your workspace follows. Webhooks bring the same reviews to you as they happen.

All answers are JSON in UTF-8. Moments are ISO 8601 in UTC; days are \`YYYY-MM-DD\`. Fields may be added within version 1; the ones that are there stay.

## Authentication

Send an API key with every request. A key belongs to one workspace and sees that workspace's data only. Make one on the API keys page; it is shown once. The read API is part of the Studio plan.

\`\`\`
Authorization: Bearer <API_KEY>
\`\`\`

## Rate limit

At most ${keyLimit.limit} requests in any 60 seconds are answered for one key. Answers carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`. Beyond the limit comes 429 with \`Retry-After\` in seconds: a request after that wait is answered. Every other answer to a valid key counts, errors too.

## Pages

\`GET /reviews\` answers ${pageSizeDefault} reviews unless \`limit\` (at most ${pageSizeMax}) says otherwise. Pass \`nextCursor\` back as \`cursor\`, unchanged and with the same filters, until it is null. Reviews that arrive meanwhile neither shift nor repeat a page. A cursor does not expire.

## Caching

Every answer has an \`ETag\`. Send it back as \`If-None-Match\`: while nothing changed, the answer is an empty 304. Answers are compressed with gzip or brotli when you accept it.

## Errors

Errors are problem details (RFC 9457, \`application/problem+json\`). Decide by \`code\`: it is stable. With \`invalid_parameter\`, \`errors\` names every faulty parameter at once. \`requestId\` is also in the \`X-Request-Id\` header of every answer.

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
Sent as POST to the URL of each channel whose filters match. Verify \`X-Service-Signature\` before anything else: \`sha256=\` and the hexadecimal HMAC-SHA256 of the raw body, keyed by the whole signing secret. Compute it over the bytes as they came, compare in constant time, and refuse a mismatch.

Answer 2xx promptly and work afterwards. 410 deletes the channel; anything else is tried again. The same delivery can arrive twice and out of order: key by \`review.id\`.
`.trim();
