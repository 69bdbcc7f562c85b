// The lease contract of every queue in the database: feeds and provider jobs.
//
// A row has two columns, both null while it is not worked on: lease_token, a random UUID of the claim, and
// leased_until. Times are those of the caller's clock, handed in.
//
// - claim: takes rows that are free, which means not leased or leased until a moment that has passed.
// - renew: moves leased_until while the work goes on.
// - finish, release: write the outcome, or give the row back unfinished, and clear both columns.
//
// Renewing, finishing and releasing name the token. A lease that ran out still counts until another worker claims the
// row; from then on nothing that its former holder writes has an effect.

import sql, { type Sql } from "sql-template-tag";
import type { Parameter } from "./sql.ts";

export type Lease = { leaseToken: string };

export type LeaseClaim = { token: string; now: Date; leasedUntil: Date };

/** Parts of statements. */
export const leaseSql = {
  isFree: (now: Date | Parameter): Sql => sql`(leased_until is null or leased_until <= ${now})`,
  claim: ({ token, leasedUntil }: Pick<LeaseClaim, "token" | "leasedUntil">): Sql =>
    sql`lease_token = ${token}, leased_until = ${leasedUntil}`,
  release: sql`lease_token = null, leased_until = null`,
};
