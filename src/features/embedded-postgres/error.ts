// The one error of this module: the server can't be used, and the message says what to do about it.

export class EmbeddedPostgresError extends Error {
  override readonly name: string = "EmbeddedPostgresError";
  readonly code = "unavailable";
}

/** The data folder has no database, and none was to be made. */
export class MissingClusterError extends EmbeddedPostgresError {
  override readonly name = "MissingClusterError";
}
