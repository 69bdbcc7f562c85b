// Starts the dashboard: the query client, the router, and the style sheets.
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { waitForEarly } from "./api/http-request.ts";
import { recoverWhenOnline } from "./api/recovery.ts";
import { createQueryClient } from "./api/session.ts";
import { AppRouter } from "./app-router.tsx";
import { ErrorBoundary } from "./components/error-boundary.tsx";
import { ToastProvider } from "./components/toast.tsx";
import "./style/tokens.css";
import "./style/base.css";
import "./style/auth.css";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

recoverWhenOnline();
void waitForEarly().then(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <ToastProvider>
          <ErrorBoundary>
            <AppRouter />
          </ErrorBoundary>
        </ToastProvider>
      </QueryClientProvider>
    </StrictMode>,
  ),
);
