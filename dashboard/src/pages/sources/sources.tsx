// The Sources page: the followed apps, and the webhook channels that their events are sent to.
import { useSearchParams } from "wouter";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { Skeleton } from "../../components/feedback.tsx";
import { ViewerNote } from "../../components/viewer-note.tsx";
import { AddAppDialog } from "../apps/add-app.tsx";
import { AppList } from "../apps/app-list.tsx";
import { HeldAppDetails, StoreIncidents } from "../apps/store-incidents.tsx";
import { ChannelList } from "../channels/channel-list.tsx";

export function Sources() {
  const [search, setSearch] = useSearchParams();
  const { isViewer } = useWorkspace();
  const isAdding = search.get("add") === "app" && !isViewer;
  const setAdding = (isOpen: boolean) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (isOpen) next.set("add", "app");
      else next.delete("add");
      return next;
    });
  // Both cards appear at once: the first one would move the second when it grows.
  const apps = useApiQuery("GET /workspaces/:workspace/apps", {});
  const channels = useApiQuery("GET /workspaces/:workspace/channels", {}, { isDisabled: isViewer });
  return (
    <Page title="Sources" lead="The apps you follow, and the channels they send events to.">
      {apps.isLoading || channels.isLoading ? (
        <Skeleton height={640} label="Loading apps and channels" />
      ) : (
        <>
          <StoreIncidents />
          <HeldAppDetails />
          <AppList onAdd={() => setAdding(true)} />
          {isViewer ? null : <ChannelList />}
          <ViewerNote>
            Only members see channels and change apps; an owner can make you one.
          </ViewerNote>
        </>
      )}
      {isAdding ? <AddAppDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}
