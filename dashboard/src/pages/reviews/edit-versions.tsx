// The earlier versions of a review with the changes marked in their texts, loaded when they are first asked for.
import type { FeedReview, ReviewVersion } from "../../../../src/dashboard-api/contract/reviews.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { QueryView } from "../../components/query-view.tsx";
import { Stars } from "../../components/stars.tsx";
import { Time } from "../../components/time.tsx";
import { diffWords } from "../../format/text-diff.ts";
import styles from "./reviews.module.css";

type ReviewText = Pick<ReviewVersion, "rating" | "title" | "text">;

export function EditVersions({ review }: { review: FeedReview }) {
  const query = useApiQuery("GET /workspaces/:workspace/apps/:app/reviews/:review", {
    path: { app: review.appId, review: review.id },
  });
  return (
    <QueryView query={query} height={96} loadingLabel="Loading the earlier versions">
      {({ versions }) => (
        <ol className={styles.versions} reversed>
          {versions
            .map((before, index) => ({ before, after: versions[index + 1] ?? review }))
            .toReversed()
            .map(({ before, after }) => (
              <li key={before.number}>
                <p className={styles.from}>
                  Seen <Time at={before.replacedAt} />, first written <Time at={before.date} />
                </p>
                <Edit before={before} after={after} />
              </li>
            ))}
        </ol>
      )}
    </QueryView>
  );
}

function Edit({ before, after }: { before: ReviewText; after: ReviewText }) {
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
      {diffWords(before, after).map(({ kind, text }, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one diff never move
        if (kind === "added") return <ins key={index}>{text}</ins>;
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one diff never move
        if (kind === "removed") return <del key={index}>{text}</del>;
        return text;
      })}
    </span>
  );
}
