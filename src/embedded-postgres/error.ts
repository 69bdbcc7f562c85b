// The one error of this module: the server can't be used, and the message says what to do about it.

export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
  readonly code = "unavailable";
}
