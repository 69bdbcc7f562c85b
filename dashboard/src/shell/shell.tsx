// The frame around every page of a workspace: navigation at the side, at the top on narrow screens.
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useWorkspace } from "../api/workspace.ts";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { Link } from "../components/link.tsx";
import { Menu, menuItem } from "../components/menu.tsx";
import { ServiceStrip } from "../components/service-strip.tsx";
import { GoTo } from "./go-to.tsx";
import { AssignedLink, SavedViews } from "./saved-views.tsx";
import styles from "./shell.module.css";
import { UserMenu } from "./user-menu.tsx";
import { useWorkspaceAlerts } from "./workspace-alerts.ts";
import { WorkspaceMenu } from "./workspace-menu.tsx";

const navItems: readonly { path: string; label: string; icon: IconName }[] = [
  { path: "/overview", label: "Overview", icon: "overview" },
  { path: "/reviews", label: "Reviews", icon: "reviews" },
  { path: "/compare", label: "Compare", icon: "compare" },
  { path: "/sources", label: "Sources", icon: "sources" },
  { path: "/keys", label: "API keys", icon: "keys" },
  { path: "/settings", label: "Settings", icon: "settings" },
];

export function Shell({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const [location] = useLocation();
  useFocusOnNavigation(location, main);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      {location === "/reviews" ? (
        <a className={styles.skip} href="#reviews">
          Skip to the reviews
        </a>
      ) : null}
      <GoTo pages={navItems} />
      <header className={styles.side} data-print="hidden">
        <div className={styles.head}>
          <Link href="/overview" className={styles.brand} aria-label="Starpost, to the overview">
            <img src="/favicon.svg" alt="" width={28} height={28} />
            <span>Starpost</span>
          </Link>
          <WorkspaceMenu />
        </div>
        <nav className={styles.nav} aria-label="Pages">
          <NavLinks />
        </nav>
        <div className={styles.foot}>
          <UserMenu />
        </div>
        <nav className={styles.narrow} aria-label="Pages">
          <Menu label="Pages" edge="end" button={<Icon name="menu" size={22} />}>
            <NavLinks isMenu />
          </Menu>
        </nav>
      </header>
      <main id="content" ref={main} tabIndex={-1} className={styles.main}>
        <ServiceStrip />
        <ErrorBoundary key={location}>{children}</ErrorBoundary>
      </main>
    </div>
  );
}

function NavLinks({ isMenu = false }: { isMenu?: boolean }) {
  const [location] = useLocation();
  const alerts = useWorkspaceAlerts().data;
  const failingCount = alerts ? alerts.apps.length + alerts.channels.length : 0;
  const { isViewer } = useWorkspace();
  const shown = navItems.filter(({ path }) => path !== "/keys" || !isViewer);
  return shown.map(({ path, label, icon }) => (
    <Fragment key={path}>
      <Link
        href={path}
        className={styles.navItem}
        aria-current={location.startsWith(path) ? "page" : undefined}
        {...(isMenu ? menuItem : {})}
      >
        <Icon name={icon} />
        {label}
        {path === "/sources" && failingCount > 0 ? (
          <span className={styles.failingDot} title="Something is failing">
            <span className="visually-hidden">: {failingCount} failing</span>
          </span>
        ) : null}
      </Link>
      {path === "/reviews" ? (
        <>
          <AssignedLink isMenu={isMenu} />
          <SavedViews isMenu={isMenu} />
        </>
      ) : null}
    </Fragment>
  ));
}

// Each page starts at its top with the focus on its content, as if the browser had loaded it.
function useFocusOnNavigation(location: string, main: { current: HTMLElement | null }): void {
  const before = useRef(location);
  useEffect(() => {
    if (before.current === location) return;
    before.current = location;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [location, main]);
}
