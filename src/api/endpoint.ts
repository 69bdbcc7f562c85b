// The parts of an endpoint of the read API: its parameters, its response, and how the one is made from the other.
// Authorization, rate limit, ETag and errors are the same for all: see request-handler.ts.
import type { z } from "zod";
import type { DatabaseTransaction } from "../database/database.ts";
import type { FollowedApp } from "../database/reviews/followed-apps.ts";
import type { Cursors } from "../http/cursor.ts";
import type { Operation } from "../operations/operation.ts";
import type { ProblemCode } from "./problem.ts";

/**
 * The response depends on the query, on the data behind the versions of the apps, and on the week of `now`,
 * and on nothing else: its ETag is made of them. For what depends on more see `isTaggedByContent`.
 */
export type EndpointRequest<Query> = {
  database: DatabaseTransaction;
  cursors: Cursors;
  now: Date;
  workspaceId: string;
  query: Query;
  /** Those that the query names, else all of the workspace. */
  apps: readonly FollowedApp[];
};

export type Endpoint<Parameters extends z.ZodObject, Body extends z.ZodObject> = {
  /** Below the base path; the parameters in braces are parts of it, the others of the query. */
  path: string;
  parameters: Parameters;
  /** Ids of the apps that the query names; null is all of the workspace. */
  appIdsOf(query: z.infer<Parameters>): readonly string[] | null;
  /** Whether the response depends on the day of `now` besides. */
  dependsOnDay?: true;
  /** Whether the response to this query is tagged by its bytes, and made each time. By default it is not. */
  isTaggedByContent?(query: z.infer<Parameters>): boolean;
  /** Whether the response must have everything that was committed: no standby is read for it. By default it may lag. */
  isExact?(query: z.infer<Parameters>): boolean;
  /** A read that is recorded before it leaves. */
  operation?: Operation;
  responseSchema: Body;
  /** A streamed response without a tag; the schema is that of a row. Else it is JSON. */
  streamTypes?: readonly string[];
  handle(
    request: EndpointRequest<z.infer<Parameters>>,
  ): Promise<z.infer<Body> | PreSerializedJson | RowStream>;
  /** For the documentation. */
  id: string;
  tag: "Apps" | "Reviews" | "Figures";
  summary: string;
  description: string;
  problems: readonly ProblemCode[];
  /** Headers of its own in a response, with their descriptions. */
  responseHeaders?: Readonly<Record<string, string>>;
};

/** A body that PostgreSQL wrote as JSON. Tests hold it to the schema, as the types can't. */
export class PreSerializedJson {
  readonly json: string;
  /** Sent along, beside those of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text that its ETag is made of, without a moment that differs in each response. */
  readonly tagged: string;

  constructor(json: string, headers: Readonly<Record<string, string>> = {}, tagged = json) {
    this.json = json;
    this.headers = headers;
    this.tagged = tagged;
  }
}

/** Rows of a response of any length, which are read as the client takes them. */
export class RowStream {
  readonly contentType: string;
  readonly batches: AsyncGenerator<{ text: string; rowCount: number }>;

  constructor(contentType: string, batches: RowStream["batches"]) {
    this.contentType = contentType;
    this.batches = batches;
  }
}

export type AnyEndpoint = Endpoint<z.ZodObject, z.ZodObject>;

/** Ties the types of an endpoint to each other. Its functions get only what its own parameters have parsed. */
export function defineEndpoint<Parameters extends z.ZodObject, Body extends z.ZodObject>(
  endpoint: Endpoint<Parameters, Body>,
): AnyEndpoint {
  return endpoint as unknown as AnyEndpoint;
}
