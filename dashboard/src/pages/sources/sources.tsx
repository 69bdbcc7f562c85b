// The Sources page: the followed apps, and the webhook channels that their events are sent to.
import { useSearchParams } from "wouter";
import { useApiQuery } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { Skeleton } from "../../components/feedback.tsx";
import { AddAppDialog } from "./add-app.tsx";
import { AppList } from "./app-list.tsx";
import { ChannelList } from "./channel-list.tsx";
import { StoreIncidents } from "./store-incidents.tsx";

export function Sources() {
  const [search, setSearch] = useSearchParams();
  const isAdding = search.get("add") === "app";
  const setAdding = (isOpen: boolean) => setSearch(isOpen ? { add: "app" } : {});
  // Both cards appear at once: the first one would move the second when it grows.
  const apps = useApiQuery("GET /workspaces/:workspace/apps", {});
  const channels = useApiQuery("GET /workspaces/:workspace/channels", {});
  return (
    <Page title="Sources" lead="The apps you follow, and the channels they send events to.">
      {apps.isPending || channels.isPending ? (
        <Skeleton height={640} label="Loading apps and channels" />
      ) : (
        <>
          <StoreIncidents />
          <AppList onAdd={() => setAdding(true)} />
          <ChannelList />
        </>
      )}
      {isAdding ? <AddAppDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}
