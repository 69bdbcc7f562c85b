// The user's sessions, with buttons to sign them out.

import type { OpenSession } from "../../../../src/dashboard-api/contract/session.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { formatQuantity } from "../../format/numbers.ts";

const sessionsRoute = "GET /session/sessions" as const;

export function SessionsCard() {
  const query = useApiQuery(sessionsRoute, {});
  const endOthers = (
    <ActionButton
      route="POST /session/sessions/end-others"
      input={{}}
      affected={[sessionsRoute]}
      successMessage={({ endedCount }) => `${formatQuantity(endedCount, "session")} signed out`}
    >
      Sign out all others
    </ActionButton>
  );
  const hasOthers = (query.data?.sessions.length ?? 0) > 1;
  return (
    <Card title="Your sessions" tools={hasOthers ? endOthers : null}>
      <QueryView query={query} height={80} loadingLabel="Loading sessions">
        {({ sessions }) => (
          <Table
            caption="Sessions"
            rows={sessions}
            rowKey={({ id }) => id}
            columns={columns}
            stacked
          />
        )}
      </QueryView>
    </Card>
  );
}

const columns: TableColumn<OpenSession>[] = [
  {
    header: "Browser",
    cell: ({ browser, isCurrent }) => (
      <span>
        {capitalised(browser)} {isCurrent ? <Chip tone="accent">This one</Chip> : null}
      </span>
    ),
  },
  { header: "Address", cell: ({ address }) => address },
  { header: "Last seen", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} relative /> },
  { header: "Signed in", cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    header: "Sign out",
    hideHeader: true,
    alignEnd: true,
    cell: ({ id, isCurrent }) =>
      isCurrent ? null : (
        <ActionButton
          small
          route="DELETE /session/sessions/:session"
          input={{ path: { session: id } }}
          affected={[sessionsRoute]}
        >
          Sign out
        </ActionButton>
      ),
  },
];
