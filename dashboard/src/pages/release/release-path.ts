// Where the page of a release is.
import { withQuery } from "../../api/http-request.ts";

export function releasePath({ appId, version }: { appId: string; version: string }): string {
  return withQuery(`/releases/${appId}`, { version });
}
