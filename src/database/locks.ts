// Every advisory lock that Starpost takes in its database. The numbers are arbitrary; each is used once.
//
// The embedded server's own locks are taken in the database `postgres`, not in this one, and are defined in
// features/embedded-postgres/shared-lock.ts: 7_215_002 (users of the server) and 7_215_003 (creating the role).

export const advisoryLocks = {
  /** Held by the transaction that migrates: starters take turns. */
  migration: 7_215_001,
  /** With a second: shared by the transactions that change reviews since then. `begin_change()` in SQL. */
  reviewChange: 7_215_006,
  /** With a hash of a listing's id: held by the transaction that changes the listing, on several servers. */
  listing: 7_215_008,
  /** With a hash of a workspace's name: held by the transaction that creates it. */
  workspaceName: 7_215_009,
  /** With a hash of a workspace's id: held by the rehearsal of its set-up. */
  rehearsal: 7_215_010,
  /** Held by the transaction that claims an answer to a review: one at a time. */
  replyClaims: 7_215_011,
} as const;
