// The user's menu: who is signed in, the theme, links to the account and the API reference, and sign out.
import { describeError } from "../api/http-request.ts";
import { useSignOut } from "../api/session.ts";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";
import { Link } from "../components/link.tsx";
import { Menu, menuItem } from "../components/menu.tsx";
import { useToast } from "../components/toast.tsx";
import styles from "./shell.module.css";
import { type Theme, themes, useThemeChoice } from "./theme.ts";

const themeLabels: Record<Theme, string> = {
  system: "Theme: System",
  light: "Theme: Light",
  dark: "Theme: Dark",
};

export function UserMenu() {
  const { user, version } = useWorkspace().session;
  const signOut = useSignOut();
  const showToast = useToast();
  return (
    <Menu
      label="Account and theme"
      upwards
      button={
        <>
          <span className={styles.initial} aria-hidden="true">
            {(user.name || user.email).charAt(0)}
          </span>
          <span className={styles.userName}>{user.name || user.email}</span>
          <Icon name="down" />
        </>
      }
      header={<p className={styles.menuText}>{user.email}</p>}
      footer={<p className={styles.menuText}>Starpost {version}</p>}
    >
      <ThemeItems />
      <hr />
      <Link href="/settings?tab=you" {...menuItem}>
        Your account
      </Link>
      <a href="/docs" {...menuItem}>
        API reference
      </a>
      <button
        type="button"
        {...menuItem}
        onClick={() => void signOut().catch((error: unknown) => showToast(describeError(error)))}
      >
        Sign out
      </button>
    </Menu>
  );
}

// A choice leaves the menu open, so that its effect is seen before the next one.
function ThemeItems() {
  const [theme, chooseTheme] = useThemeChoice();
  return (
    <fieldset aria-label="Theme">
      {themes.map((value) => (
        <button
          key={value}
          type="button"
          role="menuitemradio"
          aria-checked={value === theme}
          tabIndex={-1}
          onClick={() => chooseTheme(value)}
        >
          <span className={styles.workspaceName}>{themeLabels[value]}</span>
          {value === theme ? <Icon name="check" size={16} /> : null}
        </button>
      ))}
    </fieldset>
  );
}
