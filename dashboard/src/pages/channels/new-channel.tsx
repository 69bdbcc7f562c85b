// Creates a channel, with a preview beside the form, and then shows its secret.
import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useApiMutation } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFooter } from "../../components/dialog.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Link } from "../../components/link.tsx";
import { nameFilters } from "../reviews/filter-names.ts";
import { type FeedFilters, readFilters, viewQuery } from "../reviews/filters.ts";
import { type ChannelDraft, emptyChannelDraft, toChannelInput } from "./channel-draft.ts";
import { ChannelForm } from "./channel-form.tsx";
import { ChannelPreview } from "./channel-preview.tsx";
import styles from "./channels.module.css";
import { MessagePicture } from "./message-picture.tsx";
import { TestButton, TestResult } from "./test-event.tsx";

export function NewChannel() {
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const [draft, setDraft] = useState(() => draftOfView(filters));
  const dropped = describeDropped(filters);
  const [, navigate] = useLocation();
  const create = useApiMutation("POST /workspaces/:workspace/channels", [
    "GET /workspaces/:workspace/channels",
  ]);
  const created = create.data;
  const [testId, setTestId] = useState<string | null>(null);
  const goToChannel = () =>
    created && navigate(`/sources/channels/${created.channel.id}`, { replace: true });
  return (
    <Page title="New channel" lead={<Link href="/sources">All sources</Link>}>
      {dropped ? (
        <Alert kind="warn">
          A channel sends new reviews as they come. Not taken over from the list: {dropped}.
        </Alert>
      ) : null}
      <div className={styles.split}>
        <Card title="Events and filters">
          <ChannelForm
            draft={draft}
            submitLabel="Create the channel"
            state={create}
            onChange={setDraft}
            onSubmit={() => create.mutate({ body: toChannelInput(draft) })}
          />
        </Card>
        <div className={styles.aside}>
          <MessagePicture draft={draft} />
          <ChannelPreview draft={draft} />
        </div>
      </div>
      {created ? (
        <Dialog title={`${created.channel.name} is ready`} onClose={goToChannel}>
          {created.warning ? <Alert kind="warn">{created.warning}</Alert> : null}
          {created.secret === null ? null : (
            <>
              <p>
                Your endpoint verifies each delivery with this signing secret. Owners can see it
                again on the channel's page.
              </p>
              <CodeLine code={created.secret} label="Secret" />
            </>
          )}
          {testId ? <TestResult key={testId} deliveryId={testId} /> : null}
          <DialogFooter>
            <TestButton channelId={created.channel.id} onSent={setTestId} />
            <Button kind="primary" onClick={goToChannel}>
              Go to the channel
            </Button>
          </DialogFooter>
        </Dialog>
      ) : null}
    </Page>
  );
}

/** The Reviews page leads here with its filters. */
function draftOfView(filters: FeedFilters): ChannelDraft {
  const { app, rating, topic, ...rest } = splitFilters(filters).kept;
  return {
    ...emptyChannelDraft,
    apps: app ? [app] : null,
    stars: rating ?? null,
    topics: topic ? [topic] : null,
    filter: viewQuery(rest) || null,
  };
}

/** The filters of a list that no new review can be compared with; null without any. */
function describeDropped(filters: FeedFilters) {
  return nameFilters(splitFilters(filters).dropped, []).join(", ") || null;
}

function splitFilters(filters: FeedFilters): { kept: FeedFilters; dropped: FeedFilters } {
  const { from, to, range, newSince, edited, removed, tag, assignee, status, ...kept } = filters;
  return { kept, dropped: { from, to, range, newSince, edited, removed, tag, assignee, status } };
}
