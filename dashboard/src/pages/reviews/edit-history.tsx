// What a review said before each edit, as a text in which the changes are marked.
import { useState } from "react";
import type { FeedReview, ReviewVersion } from "../../../../src/dashboard-api/contract/reviews.ts";
import { useAnswer } from "../../api/workspace.ts";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { Stars } from "../../components/stars.tsx";
import { Time } from "../../components/time.tsx";
import { diffWords } from "../../format/text-diff.ts";
import styles from "./reviews.module.css";

type Words = Pick<ReviewVersion, "rating" | "title" | "text">;

export function EditHistory({ review, editedAt }: { review: FeedReview; editedAt: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Edited <Time at={editedAt} relative />: show what changed
      </summary>
      {isOpen ? <Versions review={review} /> : null}
    </details>
  );
}

function Versions({ review }: { review: FeedReview }) {
  const answer = useAnswer("GET /workspaces/:workspace/apps/:app/reviews/:review", {
    path: { app: review.appId, review: review.id },
  });
  if (answer.isError)
    return <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!answer.data) return <Skeleton height={96} label="Loading the earlier versions" />;
  const { versions } = answer.data;
  const edits = versions.map((before, index) => ({ before, after: versions[index + 1] ?? review }));
  return (
    <ol className={styles.versions} reversed>
      {edits.toReversed().map(({ before, after }) => (
        <li key={before.number}>
          <p className={styles.from}>
            Seen <Time at={before.replacedAt} />, first written <Time at={before.date} />
          </p>
          <Edit before={before} after={after} />
        </li>
      ))}
    </ol>
  );
}

function Edit({ before, after }: { before: Words; after: Words }) {
  return (
    <>
      {before.rating === after.rating ? null : (
        <p>
          <Stars rating={before.rating} /> → <Stars rating={after.rating} />
        </p>
      )}
      {before.title || after.title ? (
        <h3>
          <Diff before={before.title ?? ""} after={after.title ?? ""} />
        </h3>
      ) : null}
      <Diff before={before.text} after={after.text} />
    </>
  );
}

function Diff({ before, after }: { before: string; after: string }) {
  return (
    <span className={styles.diff} dir="auto">
      {diffWords(before, after).map(({ kind, text }, place) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one diff never move
        if (kind === "added") return <ins key={place}>{text}</ins>;
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one diff never move
        if (kind === "removed") return <del key={place}>{text}</del>;
        return text;
      })}
    </span>
  );
}
