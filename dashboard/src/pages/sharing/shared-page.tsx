// The page of a link, for people without an account: one page of a workspace, without navigation.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import type { SharedPage as SharedPageAnswer } from "../../../../src/features/sharing/contract.ts";
import { callApi } from "../../api/api-client.ts";
import { RequestError } from "../../api/http-request.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { SharedContext } from "../../components/link.tsx";
import { ServiceStrip } from "../../components/service-strip.tsx";
import { Time } from "../../components/time.tsx";
import { formatDay } from "../../format/dates.ts";
import { printReport } from "../overview/report-menu.tsx";
import { Content } from "./shared-content.tsx";
import styles from "./sharing.module.css";

export function SharedPage() {
  const token = useToken();
  const page = useQuery({
    queryKey: ["shared", token],
    queryFn: ({ signal }) => callApi("POST /shared", { body: { token } }, signal),
    staleTime: 60_000,
  });
  return (
    <SharedContext value={true}>
      <main className={styles.page}>
        <ServiceStrip />
        {page.data ? (
          <>
            <SharedHead page={page.data} />
            <Content content={page.data.content} workspaceName={page.data.workspaceName} />
          </>
        ) : page.isPending ? (
          <Skeleton height={600} label="Loading the page" />
        ) : page.error instanceof RequestError && page.error.status === 404 ? (
          <EmptyState title="This link has ended">
            Ask the person who sent it for a new one, or check that the address is complete.
          </EmptyState>
        ) : (
          <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
        )}
      </main>
    </SharedContext>
  );
}

/** In the fragment, which browsers send to no server. It stays in the address bar, so that the page can be reloaded. */
function useToken(): string {
  return useSyncExternalStore(
    (onChange) => {
      window.addEventListener("hashchange", onChange);
      return () => window.removeEventListener("hashchange", onChange);
    },
    () => window.location.hash.slice(1),
  );
}

function SharedHead({ page }: { page: SharedPageAnswer }) {
  const { name, workspaceName, madeBy, isFrozen, readAt, endsAt, content } = page;
  useEffect(() => {
    document.title = `${name} · ${workspaceName} · Starpost`;
  }, [name, workspaceName]);
  // On paper the report has a head of its own.
  const print = "overview" in content ? { "data-print": "hidden" } : {};
  return (
    <header className={styles.head} {...print}>
      <div>
        <h1>{name}</h1>
        {"overview" in content ? (
          <p>{`${formatDay(content.overview.range.from)} to ${formatDay(content.overview.range.to)}`}</p>
        ) : null}
        <p className={styles.origin}>
          Shared by {madeBy} from {workspaceName} · {isFrozen ? "frozen" : "live"}, as of{" "}
          <Time at={readAt} />
          {endsAt ? (
            <>
              {" "}
              · the link ends on <Time at={endsAt} />
            </>
          ) : null}
        </p>
      </div>
      {content.kind === "report" ? (
        <Button onClick={printReport}>Print, or save as PDF</Button>
      ) : null}
    </header>
  );
}
