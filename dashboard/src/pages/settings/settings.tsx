// Settings in tabs: the workspace with its people and store accounts; the user's own account; topics; what leaves the workspace; the audit log.

import { useSearchParams } from "wouter";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { AccountCard } from "./account-card.tsx";
import { AuditCard } from "./audit-card.tsx";
import { CredentialsCard } from "./credentials-card.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { MembersCard } from "./members-card.tsx";
import { OutgoingCards } from "./outgoing-cards.tsx";
import { OwnTopicsCard } from "./own-topics-card.tsx";
import { ProvidersCard } from "./providers-card.tsx";
import { ReplyTemplatesCard } from "./reply-templates-card.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { TopicsCard } from "./topics-card.tsx";
import { WorkspaceCard } from "./workspace-card.tsx";

const tabs = {
  workspace: "Workspace",
  you: "You",
  topics: "Topics and answers",
  outgoing: "Sharing and access",
  audit: "Audit log",
} as const;

export function Settings() {
  const { isOwner, isViewer } = useWorkspace();
  const [search] = useSearchParams();
  const shown = Object.entries(tabs).filter(
    ([tab]) => (tab !== "audit" || isOwner) && (tab !== "outgoing" || !isViewer),
  );
  const current = shown.find(([tab]) => tab === search.get("tab"))?.[0] ?? "workspace";
  return (
    <Page title="Settings">
      <Tabs
        label="Parts of the settings"
        tabs={shown.map(([tab, label]) => ({
          label,
          to: tab === "workspace" ? "/settings" : `/settings?tab=${tab}`,
          isCurrent: tab === current,
        }))}
      />
      {current === "workspace" ? <WorkspaceSettings /> : null}
      {current === "you" ? <OwnSettings /> : null}
      {current === "topics" ? <TopicSettings /> : null}
      {current === "outgoing" ? <OutgoingCards /> : null}
      {current === "audit" ? <AuditCard /> : null}
    </Page>
  );
}

function WorkspaceSettings() {
  const { isOwner } = useWorkspace();
  const settings = useApiQuery("GET /workspaces/:workspace/settings", {});
  const isLoading = useWorkspaceCardsLoading();
  if (settings.isError && !settings.data) {
    return <ErrorAlert error={settings.error} onRetry={() => void settings.refetch()} />;
  }
  if (!settings.data || isLoading) return <Skeleton height={960} label="Loading the settings" />;
  return (
    <>
      <WorkspaceCard workspace={settings.data.workspace} />
      <MembersCard />
      {isOwner ? <InvitationsCard /> : null}
      {isOwner ? <CredentialsCard /> : null}
      <ProvidersCard providers={settings.data.providers} />
    </>
  );
}

function TopicSettings() {
  return (
    <>
      <OwnTopicsCard />
      <TopicsCard />
      <ReplyTemplatesCard />
    </>
  );
}

function OwnSettings() {
  const sessions = useApiQuery("GET /session/sessions", {});
  const secondFactor = useApiQuery("GET /session/second-factor", {});
  if (sessions.isLoading || secondFactor.isLoading) {
    return <Skeleton height={720} label="Loading your account" />;
  }
  return (
    <>
      <AccountCard />
      <SecondFactorCard />
      <SessionsCard />
    </>
  );
}

// The cards are shown when all their queries are done: one that grows later would move the next one down.
function useWorkspaceCardsLoading(): boolean {
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
  return [members, invitations, credentials].some(({ isLoading }) => isLoading);
}
