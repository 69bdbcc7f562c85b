// Starts a report in a file: the pages of the dashboard on the answers that the file holds, without any request.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { memoryLocation } from "wouter/memory-location";
import type { Report } from "../../src/features/report/contract.ts";
import { WorkspaceContext, type WorkspaceContextValue } from "./api/workspace.ts";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { SharedContext } from "./components/link.tsx";
import { ToastProvider } from "./components/toast.tsx";
import { stopClock } from "./format/clock.ts";
import { ReportPage } from "./pages/report/report-page.tsx";
import "./style/tokens.css";
import "./style/base.css";

const root = document.getElementById("root");
const data = document.getElementById("report")?.textContent;
if (!root || !data) throw new Error("the file has no report");

const report: Report = JSON.parse(data);
stopClock(report.madeAt);
// A file of the address bar has no other pages.
const { hook, searchHook } = memoryLocation({ path: "/", static: true });

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createClient(report)}>
      <ToastProvider>
        <ErrorBoundary>
          <Router hook={hook} searchHook={searchHook}>
            <WorkspaceContext value={toWorkspace(report)}>
              <SharedContext value={true}>
                <ReportPage report={report} />
              </SharedContext>
            </WorkspaceContext>
          </Router>
        </ErrorBoundary>
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);

function createClient({ answers, workspaceId }: Report): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } },
  });
  for (const { route, input, answer } of answers)
    client.setQueryData([workspaceId, route, input], answer);
  return client;
}

/** Without a user: the pages need the id alone. */
function toWorkspace({ workspaceId, title, version }: Report): WorkspaceContextValue {
  const workspace = {
    id: workspaceId,
    name: title,
    role: "viewer",
  } as WorkspaceContextValue["workspace"];
  return {
    workspace,
    session: {
      state: "signed_in",
      mayCreateWorkspace: false,
      user: {} as WorkspaceContextValue["session"]["user"],
      workspaces: [workspace],
      workspaceId,
      apiUrl: "/api/v1",
      version,
    },
  };
}
