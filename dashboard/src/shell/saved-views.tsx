// The views of reviews that the workspace keeps, in the navigation, and what the user has to do.
import { useLocation, useSearchParams } from "wouter";
import { useApiQuery, useWorkspace } from "../api/workspace.ts";
import { Link } from "../components/link.tsx";
import { menuItem } from "../components/menu.tsx";
import { formatCount } from "../format/numbers.ts";
import styles from "./shell.module.css";
import { useWorkspaceAlerts } from "./workspace-alerts.ts";

export function SavedViews({ isMenu = false }: { isMenu?: boolean }) {
  const views = useApiQuery("GET /workspaces/:workspace/views", {}).data?.views ?? [];
  const [location] = useLocation();
  const [search] = useSearchParams();
  const links = views.map(({ id, name, query }) => (
    <Link
      key={id}
      href={`/reviews?${query}&view=${id}`}
      className={`${styles.navItem} ${styles.view}`}
      aria-current={location === "/reviews" && search.get("view") === id ? "page" : undefined}
      title={name}
      {...(isMenu ? menuItem : {})}
    >
      <span>{name}</span>
    </Link>
  ));
  if (isMenu || links.length <= shownMax) return links;
  const isFoldedOpen = views.slice(shownMax).some(({ id }) => search.get("view") === id);
  return (
    <>
      {links.slice(0, shownMax)}
      <details className={styles.moreViews} open={isFoldedOpen}>
        <summary className={`${styles.navItem} ${styles.view}`}>
          <span>{`${links.length - shownMax} more views`}</span>
        </summary>
        {links.slice(shownMax)}
      </details>
    </>
  );
}

/** The pages below stay in sight. */
const shownMax = 7;

/** Open reviews that are assigned to the user; left out without any. */
export function AssignedLink({ isMenu = false }: { isMenu?: boolean }) {
  const { session } = useWorkspace();
  const count = useWorkspaceAlerts().data?.assignedCount ?? 0;
  const [location] = useLocation();
  const [search] = useSearchParams();
  const { id } = session.user;
  const isHere = location === "/reviews" && search.get("assignee") === id;
  if (count === 0 && !isHere) return null;
  return (
    <Link
      href={`/reviews?assignee=${id}&status=open`}
      className={`${styles.navItem} ${styles.view}`}
      aria-current={isHere ? "page" : undefined}
      {...(isMenu ? menuItem : {})}
    >
      <span>Assigned to me</span>
      <span className={styles.navCount}>{formatCount(count)}</span>
    </Link>
  );
}
