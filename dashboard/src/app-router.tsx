// Chooses the page by the session and the URL: a page of the workspace that the URL names, or one that a link shares. The
// pages before the sign-in are in src/sign-in/.
import { type ComponentType, useEffect } from "react";
import { Redirect, Route, Switch, useLocation, useParams } from "wouter";
import type { Session, SignedIn } from "../../src/dashboard-api/contract/session.ts";
import { callApi } from "./api/api-client.ts";
import { useSession, useSignedOutElsewhere, useUpdateSession } from "./api/session.ts";
import { WorkspaceContext } from "./api/workspace.ts";
import { Page } from "./components/card.tsx";
import { ErrorAlert } from "./components/feedback.tsx";
import { lateComponent } from "./components/late.tsx";
import { ServiceStrip, useServiceFailure } from "./components/service-strip.tsx";
import { Overview } from "./pages/overview/overview.tsx";
import { Reviews } from "./pages/reviews/reviews.tsx";
import { PasswordDialog } from "./shell/password-dialog.tsx";
import { Shell } from "./shell/shell.tsx";

const NoWorkspace = latePage(() => import("./pages/auth/auth-messages.tsx"), "NoWorkspace");
const WorkspaceNotFound = latePage(
  () => import("./pages/auth/auth-messages.tsx"),
  "WorkspaceNotFound",
);
const SecondFactorNeeded = latePage(
  () => import("./pages/auth/second-factor-needed.tsx"),
  "SecondFactorNeeded",
);

const SharedPage = latePage(() => import("./pages/sharing/shared-page.tsx"), "SharedPage");
const ReviewPage = latePage(() => import("./pages/reviews/review-page.tsx"), "ReviewPage");
const Compare = latePage(() => import("./pages/compare/compare.tsx"), "Compare");
const BacktestPage = latePage(() => import("./pages/release/backtest-page.tsx"), "BacktestPage");
const ReleasePage = latePage(() => import("./pages/release/release-page.tsx"), "ReleasePage");
const Sources = latePage(() => import("./pages/sources/sources.tsx"), "Sources");
const AppPage = latePage(() => import("./pages/apps/app-page.tsx"), "AppPage");
const ChannelPage = latePage(() => import("./pages/channels/channel-page.tsx"), "ChannelPage");
const Keys = latePage(() => import("./pages/keys/keys.tsx"), "Keys");
const Settings = latePage(() => import("./pages/settings/settings.tsx"), "Settings");

/** A page whose code is loaded when it is first shown. Most visits begin with Overview or Reviews: they are in the start. */
function latePage<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lateComponent(load, { name, height: 480 });
}

export function AppRouter() {
  const session = useSession();
  useSignedOutElsewhere();
  if (!session.data) return <NoSession error={session.error} onRetry={() => session.refetch()} />;
  return (
    <Switch>
      <Route path="/shared">
        <SharedPage />
      </Route>
      <Route>
        <SessionRoutes session={session.data} />
      </Route>
    </Switch>
  );
}

/** Until the session could be read: the frame of index.html for the moment that it takes. */
function NoSession({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const isFailing = useServiceFailure() !== null;
  if (!isFailing && !error) return <Frame />;
  return (
    <main>
      <ServiceStrip />
      <div style={{ padding: 32 }}>
        <h1>Starpost</h1>
        {error ? <ErrorAlert error={error} onRetry={() => void onRetry()} /> : null}
      </div>
    </main>
  );
}

function Frame() {
  return (
    <div className="frame" aria-hidden="true">
      <div className="frame-side">
        <img src="/favicon.svg" alt="" width={28} height={28} />
        <span>Starpost</span>
      </div>
      <div className="frame-main" />
    </div>
  );
}

function SessionRoutes({ session }: { session: Session }) {
  if (session.state !== "signed_in") return <ToSignIn />;
  return (
    <Switch>
      <Route path="/w/:workspace" nest>
        <Workspace session={session} />
      </Route>
      <Route>
        <RedirectToWorkspace session={session} />
      </Route>
    </Switch>
  );
}

/** A page of its own, which leads back. The service shows it itself to browsers without a session. */
function ToSignIn() {
  useEffect(() => {
    const { pathname, search } = window.location;
    window.location.replace(`/sign-in?to=${encodeURIComponent(pathname + search)}`);
  }, []);
  return <Frame />;
}

/** A URL without a workspace leads to the same page of the workspace that was used last. */
function RedirectToWorkspace({ session }: { session: SignedIn }) {
  const [location] = useLocation();
  const { workspaceId, workspaces } = session;
  const id = workspaceId ?? workspaces[0]?.id;
  if (id === undefined) return <NoWorkspace />;
  const path = location === "/" ? "/overview" : location;
  return <Redirect to={`/w/${id}${path}${window.location.search}`} replace />;
}

function Workspace({ session }: { session: SignedIn }) {
  const { workspace: id } = useParams<{ workspace: string }>();
  const workspace = session.workspaces.find((one) => one.id === id);
  useRememberWorkspace(session, workspace?.id);
  if (!workspace) return <WorkspaceNotFound />;
  if (workspace.mustSetUpSecondFactor) {
    return (
      <WorkspaceContext value={{ session, workspace }} key={workspace.id}>
        <SecondFactorNeeded />
        <PasswordDialog />
      </WorkspaceContext>
    );
  }
  return (
    <WorkspaceContext value={{ session, workspace }} key={workspace.id}>
      <Shell>
        <WorkspaceRoutes />
      </Shell>
      <PasswordDialog />
    </WorkspaceContext>
  );
}

function WorkspaceRoutes() {
  return (
    <Switch>
      <Route path="/overview" component={Overview} />
      <Route path="/reviews" component={Reviews} />
      <Route path="/reviews/:app/:review" component={ReviewPage} />
      <Route path="/compare" component={Compare} />
      <Route path="/releases/:app" component={ReleasePage} />
      <Route path="/verdicts/:app" component={BacktestPage} />
      <Route path="/sources" component={Sources} />
      <Route path="/sources/apps/:app" component={AppPage} />
      <Route path="/sources/channels/:channel" component={ChannelPage} />
      <Route path="/keys" component={Keys} />
      <Route path="/settings" component={Settings} />
      <Route path="/">
        <Redirect to="/overview" replace />
      </Route>
      <Route component={NotFound} />
    </Switch>
  );
}

function NotFound() {
  return (
    <Page title="Page not found">
      <p>Check the address for typing errors.</p>
    </Page>
  );
}

// The next visit starts in the workspace of this one.
function useRememberWorkspace(session: SignedIn, workspaceId: string | undefined): void {
  const updateSession = useUpdateSession();
  const isRemembered = workspaceId === undefined || session.workspaceId === workspaceId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent once for each change of workspace
  useEffect(() => {
    if (isRemembered || workspaceId === undefined) return;
    // A failure has no other effect than that the next visit starts in another workspace.
    callApi("POST /session/workspace", { body: { workspaceId } }).then(
      updateSession,
      () => undefined,
    );
  }, [isRemembered, workspaceId]);
}
