// The edits of a review: each earlier version with the changes marked in its text.
import { useState } from "react";
import type { FeedReview } from "../../../../src/dashboard-api/contract/reviews.ts";
import { lateComponent } from "../../components/late.tsx";
import { Time } from "../../components/time.tsx";
import styles from "./reviews.module.css";

const EditVersions = lateComponent(() => import("./edit-versions.tsx"), {
  name: "EditVersions",
  height: 96,
});

export function EditHistory({ review, editedAt }: { review: FeedReview; editedAt: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Edited <Time at={editedAt} relative />: show what changed
      </summary>
      {isOpen ? <EditVersions review={review} /> : null}
    </details>
  );
}
