// "Copy as cURL": the command that reads the reviews of the page through the API.
import { useState } from "react";
import { withQuery } from "../../api/http-request.ts";
import { usePublicApiUrl, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Link } from "../../components/link.tsx";
import { type FeedFilters, toQuery, withFirstDay } from "./filters.ts";

export function CopyAsCurl({ filters }: { filters: FeedFilters }) {
  const [isOpen, setOpen] = useState(false);
  const { workspace } = useWorkspace();
  const apiUrl = usePublicApiUrl();
  const { status, tag, assignee, ...rest } = withFirstDay(filters);
  const supported = toQuery(rest);
  const hasUnsupported = Boolean(tag || assignee || status);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="code" size={16} />
        Copy as cURL
      </Button>
      {isOpen ? (
        <Dialog title="Copy as cURL" onClose={() => setOpen(false)}>
          <CodeLine
            code={curlCommand(withQuery(`${apiUrl}/reviews`, supported))}
            label="cURL command"
          />
          {hasUnsupported ? (
            <Alert>
              The API has no filter for tags, assignees and what is done: this command reads what
              the others match.
            </Alert>
          ) : null}
          <p>
            Replace <code>$STARPOST_KEY</code> with one of your <Link href="/keys">API keys</Link>.
            Use <code>cursor</code> for the next page; see the <a href="/docs">API reference</a>.
          </p>
          {workspace.plan === "studio" ? null : (
            <Alert kind="warn">
              The read API needs the Studio plan; this workspace is on Starter.
            </Alert>
          )}
        </Dialog>
      ) : null}
    </>
  );
}

function curlCommand(url: string): string {
  // In single quotes a shell changes nothing, and an encoded URL needs none.
  const quoted = url.replaceAll("'", "%27");
  return `curl -H "Authorization: Bearer $STARPOST_KEY" '${quoted}'`;
}
