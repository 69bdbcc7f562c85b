// Names in the audit log.

/** Starpost itself, which acts without being asked: a worker, or a rule of sign-in. Entries of former versions have `service`. */
export const systemActor = "system";
