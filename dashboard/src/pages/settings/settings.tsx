// Settings: the workspace, its members, invitations and store accounts, the providers, and the user's account.

import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { AccountCard } from "./account-card.tsx";
import { CredentialsCard } from "./credentials-card.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { MembersCard } from "./members-card.tsx";
import { ProvidersCard } from "./providers-card.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { WorkspaceCard } from "./workspace-card.tsx";

export function Settings() {
  const { isOwner } = useWorkspace();
  const settings = useApiQuery("GET /workspaces/:workspace/settings", {});
  const isLoading = useCardsLoading();
  if (settings.isError) {
    return (
      <Page title="Settings">
        <ErrorAlert error={settings.error} onRetry={() => void settings.refetch()} />
      </Page>
    );
  }
  if (!settings.data || isLoading) {
    return (
      <Page title="Settings">
        <Skeleton height={960} label="Loading the settings" />
      </Page>
    );
  }
  return (
    <Page title="Settings">
      <WorkspaceCard workspace={settings.data.workspace} />
      <MembersCard />
      {isOwner ? <InvitationsCard /> : null}
      {isOwner ? <CredentialsCard /> : null}
      <ProvidersCard providers={settings.data.providers} />
      <AccountCard />
      <SecondFactorCard />
      <SessionsCard />
    </Page>
  );
}

// The cards are shown when all their queries are done: one that grows later would move the next one down.
function useCardsLoading(): boolean {
  const isOff = !useWorkspace().isOwner;
  const members = useApiQuery("GET /workspaces/:workspace/members", {});
  const invitations = useApiQuery(
    "GET /workspaces/:workspace/invitations",
    {},
    { isDisabled: isOff },
  );
  const credentials = useApiQuery(
    "GET /workspaces/:workspace/credentials",
    {},
    { isDisabled: isOff },
  );
  const sessions = useApiQuery("GET /session/sessions", {});
  const secondFactor = useApiQuery("GET /session/second-factor", {});
  const queries = [members, invitations, credentials, sessions, secondFactor];
  return queries.some(({ isLoading }) => isLoading);
}
