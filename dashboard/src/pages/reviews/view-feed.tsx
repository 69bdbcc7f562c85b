// The feed of a saved view: a secret link for feed readers, made, replaced and ended here.
import type { SavedView } from "../../../../src/dashboard-api/contract/review-work.ts";
import { useApiMutation, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFooter } from "../../components/dialog.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";

const viewsRoute = "GET /workspaces/:workspace/views" as const;

export function FeedDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const open = useApiMutation("POST /workspaces/:workspace/views/:view/feed", [viewsRoute]);
  const end = useApiMutation("DELETE /workspaces/:workspace/views/:view/feed", [viewsRoute]);
  const { isOwner } = useWorkspace();
  const input = { path: { view: view.id } };
  const error = open.error ?? end.error;
  return (
    <Dialog title={`RSS feed of ${view.name}`} onClose={onClose}>
      {error ? <ErrorAlert error={error} /> : null}
      {open.data ? (
        <>
          <p>
            Anyone with this link can read the view with its filters of now, for a year or until you
            leave the workspace. You won't see the link again.
          </p>
          <CodeLine code={new URL(open.data.path, location.origin).href} label="Link" />
        </>
      ) : (
        <p>
          {view.hasFeed
            ? "There is a link. It ends a year after it was made, when its maker leaves, with a new link, or by “End the link”."
            : "Feed readers, and Slack's /feed, read the newest 50 reviews of the view under a secret link."}
          {isOwner ? null : " Only an owner can make one."}
        </p>
      )}
      <DialogFooter>
        {view.hasFeed && !open.data ? (
          <Button busy={end.isPending} onClick={() => end.mutate(input, { onSuccess: onClose })}>
            End the link
          </Button>
        ) : null}
        {open.data ? (
          <Button kind="primary" onClick={onClose}>
            Close
          </Button>
        ) : isOwner ? (
          <Button kind="primary" busy={open.isPending} onClick={() => open.mutate(input)}>
            {view.hasFeed ? "Make a new link" : "Make a link"}
          </Button>
        ) : null}
      </DialogFooter>
    </Dialog>
  );
}
