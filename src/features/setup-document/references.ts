// Names in a file of the set-up in place of ids, which differ between installations: apps by store and id, views and
// credentials by name.
import { appReferenceOf } from "../../domain/feed/listing.ts";
import { failField } from "../../domain/validation-errors.ts";

export type NamedApp = { id: string; store: string; externalAppId: string };

/** @throws AppError `invalid_input` for an app that the workspace does not follow */
export function toAppIds(references: readonly string[], apps: readonly NamedApp[]): string[] {
  return references.map((reference) => {
    const app = apps.find((one) => appReferenceOf(one) === reference);
    return app?.id ?? failField("apps", `the workspace does not follow ${reference}`);
  });
}

export function toAppReferences(ids: readonly string[], apps: readonly NamedApp[]): string[] {
  return ids.flatMap((id) => {
    const app = apps.find((one) => one.id === id);
    // An app that was removed since matches nothing.
    return app ? [appReferenceOf(app)] : [];
  });
}

/** Replaces the app in the search parameters of a view; a query without one stays as it is written. */
export function mapAppOfQuery(query: string, map: (app: string) => string): string {
  const parameters = new URLSearchParams(query);
  const app = parameters.get("app");
  if (app === null) return query;
  parameters.set("app", map(app));
  return parameters.toString();
}
