// Decides which pages a visitor gets: the way in, or the workspace that the address names.
import { lazy, Suspense, useEffect } from "react";
import { Redirect, Route, Switch, useLocation, useParams } from "wouter";
import type { Session, SignedIn } from "../../src/dashboard-api/contract/session.ts";
import { call } from "./api/api-client.ts";
import { useSession, useSessionUpdate } from "./api/session.ts";
import { PlaceContext } from "./api/workspace.ts";
import { Page } from "./components/card.tsx";
import { ErrorNote, Skeleton } from "./components/feedback.tsx";
import { Shell } from "./shell/shell.tsx";

const Entrance = {
  SignIn: lazy(async () => ({ default: (await import("./pages/auth/sign-in.tsx")).SignIn })),
  SetUp: lazy(async () => ({ default: (await import("./pages/auth/set-up.tsx")).SetUp })),
  Join: lazy(async () => ({ default: (await import("./pages/auth/join.tsx")).Join })),
  Homeless: lazy(async () => ({
    default: (await import("./pages/auth/no-workspace.tsx")).Homeless,
  })),
  Nowhere: lazy(async () => ({ default: (await import("./pages/auth/no-workspace.tsx")).Nowhere })),
  Unclaimed: lazy(async () => ({
    default: (await import("./pages/auth/setup-pending.tsx")).Unclaimed,
  })),
};

const Overview = lazy(async () => ({
  default: (await import("./pages/overview/overview.tsx")).Overview,
}));
const Reviews = lazy(async () => ({
  default: (await import("./pages/reviews/reviews.tsx")).Reviews,
}));
const Sources = lazy(async () => ({
  default: (await import("./pages/sources/sources.tsx")).Sources,
}));
const AppPage = lazy(async () => ({
  default: (await import("./pages/sources/app-page.tsx")).AppPage,
}));
const ChannelPage = lazy(async () => ({
  default: (await import("./pages/sources/channel-page.tsx")).ChannelPage,
}));
const Keys = lazy(async () => ({ default: (await import("./pages/keys/keys.tsx")).Keys }));
const Settings = lazy(async () => ({
  default: (await import("./pages/settings/settings.tsx")).Settings,
}));

export function Gate() {
  const session = useSession();
  if (session.isError) {
    return (
      <main style={{ padding: 32 }}>
        <h1>Starpost</h1>
        <ErrorNote error={session.error} onRetry={() => void session.refetch()} />
      </main>
    );
  }
  if (!session.data) return null;
  return (
    <Suspense fallback={null}>
      <Switch>
        <Route path="/setup">
          <Entrance.SetUp />
        </Route>
        <Route path="/join">
          <Entrance.Join session={session.data} />
        </Route>
        <Route>
          <Inside session={session.data} />
        </Route>
      </Switch>
    </Suspense>
  );
}

function Inside({ session }: { session: Session }) {
  if (session.state === "unclaimed") return <Entrance.Unclaimed />;
  if (session.state === "signed_out") return <Entrance.SignIn />;
  return (
    <Switch>
      <Route path="/w/:workspace" nest>
        <Workspace session={session} />
      </Route>
      <Route>
        <Homeward session={session} />
      </Route>
    </Switch>
  );
}

/** An address without a workspace means the one that was chosen last. */
function Homeward({ session }: { session: SignedIn }) {
  const [location] = useLocation();
  const { workspaceId, workspaces } = session;
  const id = workspaceId ?? workspaces[0]?.id;
  if (id === undefined) return <Entrance.Homeless />;
  const rest = location === "/" ? "/overview" : location;
  return <Redirect to={`/w/${id}${rest}${window.location.search}`} replace />;
}

function Workspace({ session }: { session: SignedIn }) {
  const { workspace: id } = useParams<{ workspace: string }>();
  const workspace = session.workspaces.find((known) => known.id === id);
  useRemembered(session, workspace?.id);
  if (!workspace) return <Entrance.Nowhere />;
  return (
    <PlaceContext value={{ session, workspace }} key={workspace.id}>
      <Shell>
        <Suspense fallback={<PagePlace />}>
          <Pages />
        </Suspense>
      </Shell>
    </PlaceContext>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/overview" component={Overview} />
      <Route path="/reviews" component={Reviews} />
      <Route path="/sources" component={Sources} />
      <Route path="/sources/apps/:app" component={AppPage} />
      <Route path="/sources/channels/:channel" component={ChannelPage} />
      <Route path="/keys" component={Keys} />
      <Route path="/settings" component={Settings} />
      <Route path="/">
        <Redirect to="/overview" replace />
      </Route>
      <Route>
        <Page title="There is no such page">
          <p>The address may be mistyped. The navigation leads to every page there is.</p>
        </Page>
      </Route>
    </Switch>
  );
}

function PagePlace() {
  return (
    <div style={{ padding: 32 }}>
      <Skeleton height={480} label="Loading the page" />
    </div>
  );
}

// So that the next visit starts where this one was.
function useRemembered(session: SignedIn, workspaceId: string | undefined): void {
  const update = useSessionUpdate();
  const isKnown = workspaceId === undefined || session.workspaceId === workspaceId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each change of workspace
  useEffect(() => {
    if (isKnown || workspaceId === undefined) return;
    // Nothing is lost when it fails: the next visit starts in another workspace.
    call("POST /session/workspace", { body: { workspaceId } }).then(update, () => undefined);
  }, [isKnown, workspaceId]);
}
