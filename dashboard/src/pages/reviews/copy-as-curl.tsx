// "Same in the API": the curl line that answers what the page shows.
import { useState } from "react";
import { Link } from "wouter";
import { withQuery } from "../../api/http-request.ts";
import { useApiUrl, usePlace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Note } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { type FeedFilters, toQuery } from "./filters.ts";

export function ApiLine({ filters }: { filters: FeedFilters }) {
  const [isOpen, setOpen] = useState(false);
  const { workspace } = usePlace();
  const apiUrl = useApiUrl();
  const { q, version, editedOnly, ...known } = filters;
  const isNarrower = Boolean(q || version || editedOnly);
  const line = curlLine(withQuery(`${apiUrl}/reviews`, toQuery(known)));
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="code" size={16} />
        Same in the API
      </Button>
      {isOpen ? (
        <Dialog title="Same in the API" onClose={() => setOpen(false)}>
          <CodeLine code={line} label="curl line" />
          {isNarrower ? (
            <Note>
              The API has no text search, version or edited-only filter: this line answers what the
              other filters match.
            </Note>
          ) : null}
          <p>
            Put one of your <Link href="/keys">API keys</Link> in place of{" "}
            <code>$STARPOST_KEY</code>. The next page is asked for with <code>cursor</code>; see the{" "}
            <a href="/docs">API reference</a>.
          </p>
          {workspace.plan === "studio" ? null : (
            <Note kind="warn">
              The read API needs the Studio plan; this workspace is on Starter.
            </Note>
          )}
        </Dialog>
      ) : null}
    </>
  );
}

function curlLine(address: string): string {
  // Single quotes: a shell changes nothing inside them, and an address has none.
  const quoted = address.replaceAll("'", "%27");
  return `curl -H "Authorization: Bearer $STARPOST_KEY" '${quoted}'`;
}
