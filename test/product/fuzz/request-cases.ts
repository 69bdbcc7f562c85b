// Hostile texts of everything that a request, an endpoint or a person can send.
import { z } from "zod";
import { reviewParameters } from "../../../src/api/parameters.ts";
import { feedFilters } from "../../../src/dashboard-api/contract/requests.ts";
import { destinationSchemas } from "../../../src/domain/channel/channel-destination.ts";
import { emailSchema, passwordSchema } from "../../../src/domain/people/user-input.ts";
import { anyCasePattern } from "../../../src/domain/review/letter-case.ts";
import { parseReviewLink } from "../../../src/domain/store/play-link.ts";
import { ownTopicSchema } from "../../../src/features/own-topics/own-topic.ts";
import { createCursors } from "../../../src/http/cursor.ts";
import { parseJson } from "../../../src/lib/json.ts";
import { parseRetryAfter } from "../../../src/lib/retry-after.ts";
import { attempt, type FuzzCase, list, rows } from "./fuzz-case.ts";

const bodyBytes = 256 * 1024;

/** A text with two dimensions, for everything that a request can hold. */
function text(
  name: string,
  of: {
    product: number;
    write?: (one: number, other: number) => string;
    read: (text: string) => unknown;
  },
): FuzzCase {
  const write = of.write ?? ((one, other) => rows(`${"a".repeat(other)},`, one));
  return {
    ...{ name, dimensions: ["parts", "bytes of each"], product: of.product },
    prepare(one, other) {
      const input = write(one, other).slice(0, of.product);
      return () => attempt(() => of.read(input));
    },
  };
}

const cursors = createCursors([Buffer.alloc(32)]);
const listKey = { workspaceId: "w", filters: {} };
const toQuery = (query: string) => Object.fromEntries(new URLSearchParams(query));

export const requestCases: readonly FuzzCase[] = [
  text("JSON body: depth", {
    product: bodyBytes,
    write: (one, other) => `${"[".repeat(one)}${"[],".repeat(other / 3)}`,
    read: parseJson,
  }),
  text("JSON body: keys", {
    product: bodyBytes,
    write: (one, other) =>
      JSON.stringify(Object.fromEntries(list(one, (at) => [`${"k".repeat(other)}${at}`, 1]))),
    read: (body) => ownTopicSchema.safeParse(parseJson(body)),
  }),
  text("JSON body: phrases", {
    product: bodyBytes,
    write: (one, other) =>
      JSON.stringify({ name: "a", phrases: list(one, (at) => `${at}${" a".repeat(other / 2)}`) }),
    read: (body) => ownTopicSchema.safeParse(parseJson(body)),
  }),
  text("e-mail recipients", {
    product: bodyBytes,
    write: (one, other) => rows(`${"a.".repeat(other / 2)}@a,`, one),
    read: (to) => destinationSchemas.email.safeParse({ to }),
  }),
  text("e-mail address", {
    product: bodyBytes,
    write: (one, other) => rows(`${"ａ".repeat(other)}@`, one),
    read: (email) => emailSchema.safeParse(email),
  }),
  text("password", {
    product: bodyBytes,
    read: (password) =>
      passwordSchema({ email: `${password}@a.b`, name: password }).safeParse(
        password.slice(0, 128),
      ),
  }),
  text("saved view", {
    product: 4_096,
    write: (one, other) => rows(`topic=${"a,".repeat(other / 2)}&`, one),
    read: (query) => feedFilters.safeParse(toQuery(query)),
  }),
  text("query of the API", {
    product: 16_384,
    write: (one, other) => rows(`topic=${"a,".repeat(other / 2)}&`, one),
    read: (query) => reviewParameters.safeParse(toQuery(query)),
  }),
  text("cursor", { product: 16_384, read: (cursor) => cursors.decode(cursor, listKey) }),
  text("search text", {
    product: 4_096,
    write: (one, other) => rows(`${"İ".repeat(other)} `, one),
    read: anyCasePattern,
  }),
  text("webhook answer: Retry-After", {
    product: 65_536,
    write: (one, other) => rows(`${"9".repeat(other)} `, one),
    read: (header) => parseRetryAfter(header, new Date(0)),
  }),
  text("chat service's answer", {
    product: 65_536,
    write: (one, other) => `${"[".repeat(one)}${"[],".repeat(other / 3)}`,
    read: (answer) => z.object({ ok: z.boolean() }).safeParse(parseJson(answer)).data,
  }),
  text("link to a review", {
    product: 65_536,
    write: (one, other) => rows(`reviewId=${"a".repeat(other)}&`, one),
    read: parseReviewLink,
  }),
];
