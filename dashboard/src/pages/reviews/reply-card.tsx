// The answer to one review: how far it is, the answer that the store has, and for members the box to write one.
import type { Reply } from "../../../../src/features/replies/contract.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip, type ChipTone } from "../../components/chip.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { Link } from "../../components/link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Time } from "../../components/time.tsx";
import { ReplyForm } from "./reply-form.tsx";
import { replyRoute } from "./reply-routes.ts";
import styles from "./work.module.css";

/** While the store is asked. */
const sendingMs = 2_000;

type ReplyCardProps = {
  /** As the page shows it. */
  review: { id: string; date: string; reply: { text: string } | null };
  /** The user came to answer. */
  isAsked: boolean;
};

export function ReplyCard({ review, isAsked }: ReplyCardProps) {
  const { isViewer } = useWorkspace();
  const query = useApiQuery(
    replyRoute,
    { path: { review: review.id } },
    { refetchEveryMs: (data) => (data?.reply.state === "sending" ? sendingMs : false) },
  );
  return (
    <Card title="Answer" hint="The store shows it to everyone">
      <QueryView query={query} height={120} loadingLabel="Loading the answer">
        {({ reply }) => (
          <div className={styles.work}>
            <State reply={reply} />
            {reply.publicText !== null && reply.publicText !== review.reply?.text ? (
              <article className={styles.note}>
                <p className={styles.from}>
                  <strong>In the store</strong>{" "}
                  {reply.publicAt ? <Time at={reply.publicAt} /> : null}
                </p>
                <p dir="auto">{reply.publicText}</p>
              </article>
            ) : null}
            {isViewer ? null : reply.state === "sending" ? (
              <TakeBack reply={reply} />
            ) : (
              <Box review={review} reply={reply} isAsked={isAsked} />
            )}
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function Box({ review, reply, isAsked }: ReplyCardProps & { reply: Reply }) {
  const { isOwner } = useWorkspace();
  if (reply.fault !== null) {
    return (
      <p>
        {reply.fault} {isOwner ? <Link href="/settings">Settings</Link> : null}
      </p>
    );
  }
  return (
    <>
      <ReplyForm key={review.id} review={review} reply={reply} isAsked={isAsked} />
      {reply.canWithdraw && reply.publicText !== null ? <Withdraw reply={reply} /> : null}
    </>
  );
}

const states: Record<Reply["state"], readonly [label: string, tone: ChipTone, meaning: string]> = {
  unanswered: ["Unanswered", "plain", ""],
  draft: ["Draft", "plain", "Nothing was sent yet."],
  sending: ["Sending", "accent", "It is saved, and waits for the store."],
  waiting: ["Waiting", "accent", "The store has it and shows it later."],
  published: ["Published", "good", ""],
  refused: ["Refused", "bad", ""],
  outdated: ["Outdated", "warn", "The reviewer changed the review after the answer."],
  withdrawn: ["Withdrawn", "plain", ""],
  elsewhere: ["Written elsewhere", "plain", "Somebody answered outside of Starpost."],
};

function State({ reply: { state, reason, author, sentAt } }: { reply: Reply }) {
  const [label, tone, meaning] = states[state];
  return (
    <p className={styles.from} role="status">
      <Chip tone={tone}>{label}</Chip>
      <span>{reason ?? meaning}</span>
      {author && sentAt ? (
        <span>
          {author}, <Time at={sentAt} relative />
        </span>
      ) : null}
    </p>
  );
}

/** A text that waits for its turn becomes a draft; the service refuses it once the store is asked. */
function TakeBack({ reply: { id, version } }: { reply: Reply }) {
  return (
    <p>
      <ActionButton
        small
        route="POST /workspaces/:workspace/replies/:review/withdraw"
        input={{ path: { review: id }, body: { takeBack: true, version } }}
        affected={[replyRoute]}
        successMessage={() => "Taken back. Nothing was sent."}
      >
        Take back
      </ActionButton>
    </p>
  );
}

function Withdraw({ reply: { id, version, publicText } }: { reply: Reply }) {
  const withdraw = useApiMutation("POST /workspaces/:workspace/replies/:review/withdraw", [
    replyRoute,
  ]);
  const body = { replaces: publicText, takeBack: false, version };
  return (
    <ConfirmButton
      label="Withdraw"
      title="Withdraw the answer?"
      confirmLabel="Withdraw it"
      onConfirm={() => withdraw.mutateAsync({ path: { review: id }, body })}
    >
      The store removes it. You can answer again.
    </ConfirmButton>
  );
}
