// The terms of the dashboard's API: what a route is, how a failure looks, and how timestamps are written. The
// pages import types of this folder alone.
import type { z } from "zod";
import type { ErrorCode } from "../../domain/error.ts";
import type { Day, Json, Moment } from "../../lib/timestamp.ts";
import type { Operation } from "../../operations/operation.ts";

/** Before every path of the tables in this folder. */
export type BasePath = "/console/api";

export type { Day, Json, Moment };

/** A row of a workspace in JSON. */
export type Owned<Row extends { workspaceId: string }> = Json<Omit<Row, "workspaceId">>;

/** The named fields of a row in JSON. */
export type Shown<Row, Names extends readonly (keyof Row)[]> = Json<Pick<Row, Names[number]>>;

/** `Body` is JSON, `Query` goes into the search parameters: schemas, whose types these are; `never` where there is none. */
export type Route<Response, Body extends z.ZodType = never, Query extends z.ZodType = never> = {
  query: z.output<Query>;
  body: z.output<Body>;
  response: Response;
};

/** A route that carries out an operation: its input is the body. */
export type Carries<Response, Carried extends Operation> = {
  query: never;
  body: InputOf<Carried>;
  response: Response;
};

/**
 * Fields that are left out stay. `version` is the one that the form was opened with: 409 when it was changed since. null: what
 * others changed does not matter, as to a button that pauses.
 */
export type Changes<Response, Carried extends Operation> = {
  query: never;
  body: InputOf<Carried> & { version: number | null };
  response: Response;
};

/** The routes of actions by the last part of their paths, each of which answers with the result. */
export type ActionRoutes<Path extends string, Actions extends Record<string, Operation>> = {
  [Name in keyof Actions & string as `POST ${Path}/${Name}`]: Route<Json<ResultOf<Actions[Name]>>>;
};

type ResultOf<Carried> = Carried extends Operation<infer _, infer Result> ? Result : never;

export type InputOf<Carried> = Carried extends Operation<infer Input> ? Input : never;

export type Nothing = Record<string, never>;

/**
 * Every failure, as `application/problem+json`.
 * 400 `invalid_input` (with `fields`) and `invalid_cursor` · 401 `unauthorized`: not signed in, or
 * e-mail or password is wrong · 403 `forbidden`: needs another role, or a request from another site;
 * `reauthentication_required`: send the password again, then the same request; `second_factor_required`: the workspace
 * requires one, set it up first ·
 * 404 `not_found`: also for everything of another workspace · 409 `conflict` · 413 `too_large` ·
 * 429 `rate_limited` with `retryAfter` · 500 `internal` · 503 `unavailable`.
 */
export type Problem = {
  status: number;
  code: ErrorCode;
  title: string;
  /** In words for the user. */
  detail: string;
  /** Invalid fields of the body or query, by name. */
  fields: { field: string; message: string }[];
  /** Whole seconds. */
  retryAfter?: number;
  requestId: string;
};
