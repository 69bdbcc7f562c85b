// Settings: the workspace and its people, its accounts at the stores, who translates, and one's own account.

import { useAnswer, usePlace } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { AccountCard } from "./account-card.tsx";
import { CredentialsCard } from "./credentials-card.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { MembersCard } from "./members-card.tsx";
import { ProvidersCard } from "./providers-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { WorkspaceCard } from "./workspace-card.tsx";

export function Settings() {
  const { isOwner } = usePlace();
  const settings = useAnswer("GET /workspaces/:workspace/settings", {});
  const isLoading = useOthersLoading();
  if (settings.isError) {
    return (
      <Page title="Settings">
        <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
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
      <SessionsCard />
    </Page>
  );
}

// Everything that a card below asks for: one that grows would push the next one down.
function useOthersLoading(): boolean {
  const isOff = !usePlace().isOwner;
  const members = useAnswer("GET /workspaces/:workspace/members", {});
  const invitations = useAnswer("GET /workspaces/:workspace/invitations", {}, { isOff });
  const credentials = useAnswer("GET /workspaces/:workspace/credentials", {}, { isOff });
  const sessions = useAnswer("GET /session/sessions", {});
  return [members, invitations, credentials, sessions].some(({ isLoading }) => isLoading);
}
