// The views of reviews that the workspace keeps, in the navigation.
import { Link, useLocation, useSearchParams } from "wouter";
import { useApiQuery } from "../api/workspace.ts";
import { menuItem } from "../components/menu.tsx";
import styles from "./shell.module.css";

export function SavedViews({ isMenu = false }: { isMenu?: boolean }) {
  const views = useApiQuery("GET /workspaces/:workspace/views", {}).data?.views ?? [];
  const [location] = useLocation();
  const [search] = useSearchParams();
  return views.map(({ id, name, query }) => (
    <Link
      key={id}
      href={`/reviews?${query}&view=${id}`}
      className={`${styles.navItem} ${styles.view}`}
      aria-current={location === "/reviews" && search.get("view") === id ? "page" : undefined}
      {...(isMenu ? menuItem : {})}
    >
      <span>{name}</span>
    </Link>
  ));
}
