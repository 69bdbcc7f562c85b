// Shows the request of an HTTP channel for an invented review, as JSON with everything filled in.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";
import layout from "../../components/layout.module.css";
import { useDebounced } from "../../components/use-debounced.ts";
import { type RequestDraft, toHttpRequest } from "./channel-draft.ts";
import styles from "./channels.module.css";

const route = "POST /workspaces/:workspace/channels/request-preview" as const;

export function RequestPreview({ request }: { request: RequestDraft }) {
  const { workspace } = useWorkspace();
  const json = useDebounced(JSON.stringify(toHttpRequest(request)));
  const { data, error } = useQuery({
    queryKey: [workspace.id, route, json],
    queryFn: ({ signal }) =>
      callApi(
        route,
        withWorkspace<typeof route>({ body: { request: JSON.parse(json) } }, workspace.id),
        signal,
      ),
    placeholderData: keepPreviousData,
  });
  const previews = [data?.created ?? [], data?.updated ?? []].flat();
  return (
    <Card title="Request" hint="What is sent for an invented review">
      {error ? <ErrorAlert error={error} /> : null}
      {previews.map(({ method, path, body }, index) => (
        <section key={index === 0 ? "new" : "edit"} aria-label={index === 0 ? "New" : "Edit"}>
          <p className={layout.facts}>
            {index === 0 ? "A new review" : "An edit"}: {method} {path === "/" ? "" : `…${path}`}
          </p>
          <pre className={styles.requestBody}>{body}</pre>
        </section>
      ))}
    </Card>
  );
}
