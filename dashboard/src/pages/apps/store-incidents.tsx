// Changes of a store's pages that hold reviews back, and what can be done about them.

import type { StoreIncident } from "../../../../src/dashboard-api/contract/alerts.ts";
import { CodeLine } from "../../components/copy-button.tsx";
import { Alert } from "../../components/feedback.tsx";
import layout from "../../components/layout.module.css";
import { Time } from "../../components/time.tsx";
import { appLabel } from "../../format/names.ts";
import { storeName } from "../../format/stores.ts";
import { useWorkspaceAlerts } from "../../shell/workspace-alerts.ts";

const seen: Record<StoreIncident["kind"], string> = {
  unread: "reviews that can't be read",
  undated: "reviews without dates",
  texts_gone: "reviews without texts",
  replies_gone: "replies that are gone",
  fields_swapped: "fields that changed places",
  texts_altered: "texts that are cut or escaped",
  changed_alone: "reviews that changed without a new date",
  renamed_alone: "an author with another name",
  edited_at_once: "most reviews edited at once",
  votes_moved: "votes that all changed",
  votes_jumped: "votes that fell or rose fast",
  list_cut: "only a part of the known reviews",
  waiting: "too few known reviews to compare",
  changed_at_once: "many reviews that changed at once",
  dates_shifted: "dates that moved",
  dates_alike: "reviews of one and the same date",
  contents_moved: "texts that belong to other reviews",
  fields_alike: "reviews that are all alike",
  foreign: "reviews of another app",
  empty: "no reviews where there were some",
};

/** Incidents of all stores of the workspace's apps, or of one. */
export function StoreIncidents({ store: shown }: { store?: StoreIncident["store"] }) {
  const open = useWorkspaceAlerts().data?.incidents ?? [];
  const chosen = open.filter(({ store }) => shown === undefined || store === shown);
  return chosen.map(({ name, store, kind, since }) => (
    <Alert key={name} kind="warn">
      <div className={layout.stack}>
        <p>
          <strong>{storeName(store)} changed its pages.</strong> Since <Time at={since} />, they
          show {seen[kind]}. Such pages are held back: nothing wrong is stored or announced. This
          ends by itself when a list looks right again.
        </p>
        <p>If the store is right, the operator of this service accepts the change:</p>
        <CodeLine code={`starpost incident accept ${name}`} label="Command" />
      </div>
    </Alert>
  ));
}

/** Names, genres and versions that look wrong: of all apps of the workspace, or of one. */
export function HeldAppDetails({ appId: shown }: { appId?: string }) {
  const held = useWorkspaceAlerts().data?.heldDetails ?? [];
  const chosen = held.filter(({ appId }) => shown === undefined || appId === shown);
  return chosen.map(({ appId, name, store, since, changes }) => (
    <Alert key={appId} kind="plain">
      <p>
        <strong>{appLabel({ name, store })}</strong>: the store shows {changes} since{" "}
        <Time at={since} />. Name, icon and facts stay as they are until a second day shows the
        same.
      </p>
    </Alert>
  ));
}
