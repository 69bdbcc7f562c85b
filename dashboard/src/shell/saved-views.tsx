// The views of reviews that the workspace keeps, in the navigation.
import { Link, useLocation, useSearch } from "wouter";
import { useApiQuery } from "../api/workspace.ts";
import { menuItem } from "../components/menu.tsx";
import styles from "./shell.module.css";

export function SavedViews({ isMenu = false }: { isMenu?: boolean }) {
  const views = useApiQuery("GET /workspaces/:workspace/views", {}).data?.views ?? [];
  const [location] = useLocation();
  const search = useSearch();
  return views.map(({ id, name, query }) => (
    <Link
      key={id}
      href={`/reviews?${query}`}
      className={`${styles.navItem} ${styles.view}`}
      aria-current={location === "/reviews" && search === query ? "page" : undefined}
      {...(isMenu ? menuItem : {})}
    >
      <span>{name}</span>
    </Link>
  ));
}
