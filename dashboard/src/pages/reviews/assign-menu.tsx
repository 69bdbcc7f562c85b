// Assigns one review of a list, without opening it.
import type { FeedReview } from "../../../../src/dashboard-api/contract/reviews.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Menu, menuItem } from "../../components/menu.tsx";
import { useWorkOnReviews } from "./bulk-bar.tsx";
import styles from "./reviews.module.css";

export function AssignMenu({ review }: { review: FeedReview }) {
  const members = useApiQuery("GET /workspaces/:workspace/members", {}).data?.members ?? [];
  const { run } = useWorkOnReviews(() => undefined);
  const assign = (assigneeId: string | null) => run([review], { assigneeId });
  return (
    <Menu label=" this review" button={<span className={styles.workLink}>Assign</span>}>
      {members.map(({ userId, name }) => (
        <button key={userId} type="button" {...menuItem} onClick={() => assign(userId)}>
          {name}
        </button>
      ))}
      {review.work?.assignee ? (
        <button type="button" {...menuItem} onClick={() => assign(null)}>
          Nobody
        </button>
      ) : null}
    </Menu>
  );
}
