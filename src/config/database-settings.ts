// The settings of the database and of how it is reached.
import { z } from "zod";
import { databaseUrl, oneOf, optional, wholeNumber } from "./setting-fields.ts";

export const databaseSettings = {
  DATABASE_URL: optional(databaseUrl()).meta({
    description:
      "PostgreSQL 15 or newer; without it an embedded one runs in DATA_DIR. With several servers, `postgresql://a,b/starpost?target_session_attrs=read-write`, the primary is used.",
    isSecret: true,
  }),
  DATABASE_POOL_MAX: wholeNumber({ min: 2, max: 1_000 })
    .default(10)
    .describe(
      "Connections for requests and collecting; a process has up to 11 more for pages, deliveries and notifications.",
    ),
  DATABASE_LISTEN_URL: optional(databaseUrl()).meta({
    description:
      "The same database past a connection pooler, for notifications, locks and deliveries; DATABASE_URL by default.",
    isSecret: true,
  }),
  DATABASE_READ_URL: optional(databaseUrl("standby")).meta({
    description:
      "A standby of the same database, to read pages of the API and the dashboard from; the primary by default. With several servers, `postgresql://a,b/starpost?target_session_attrs=standby`, the first standby that is close behind is used.",
    isSecret: true,
  }),
  DATABASE_READ_LAG_SECONDS: wholeNumber({ min: 1, max: 300 })
    .default(5)
    .describe(
      "How old a page from DATABASE_READ_URL may be; while it is older, the primary is read.",
    ),
  EMBEDDED_SQL_PORT: optional(wholeNumber({ min: 1, max: 65_535 })).describe(
    "Port of the embedded PostgreSQL for SQL users; without it, it listens on its private socket alone.",
  ),
  EMBEDDED_SQL_HOST: z
    .string()
    .regex(/^[\w.:*-]+$/, { error: "must be an address" })
    .default("127.0.0.1")
    .describe("Address that the port is on; `*` for all. There is no TLS."),
  DATABASE_STATEMENTS: oneOf(["named", "unnamed"])
    .default("named")
    .describe(
      "`unnamed` for a DATABASE_URL behind a pooler in transaction mode; needs DATABASE_LISTEN_URL.",
    ),
};
