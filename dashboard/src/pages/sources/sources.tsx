// Where reviews come from and where they go: the followed apps, and the webhook channels.
import { useSearchParams } from "wouter";
import { useAnswer } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { Skeleton } from "../../components/feedback.tsx";
import { AddApp } from "./add-app.tsx";
import { AppList } from "./app-list.tsx";
import { ChannelList } from "./channel-list.tsx";

export function Sources() {
  const [search, setSearch] = useSearchParams();
  const isAdding = search.get("add") === "app";
  const setAdding = (on: boolean) => setSearch(on ? { add: "app" } : {});
  // Both at once: a card that grows would push the one below it.
  const apps = useAnswer("GET /workspaces/:workspace/apps", {});
  const channels = useAnswer("GET /workspaces/:workspace/channels", {});
  return (
    <Page
      title="Sources"
      lead="Apps that are followed, and webhook channels that their events go to."
    >
      {apps.isPending || channels.isPending ? (
        <Skeleton height={640} label="Loading apps and channels" />
      ) : (
        <>
          <AppList onAdd={() => setAdding(true)} />
          <ChannelList />
        </>
      )}
      {isAdding ? <AddApp onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

export function AddAppButton({ onAdd, isMain }: { onAdd: () => void; isMain: boolean }) {
  return (
    <Button kind={isMain ? "primary" : "plain"} onClick={onAdd}>
      Add an app
    </Button>
  );
}
