// The person's own menu: who is signed in, the theme, and the way out.
import { Link } from "wouter";
import { describeError } from "../api/http-request.ts";
import { useSignOut } from "../api/session.ts";
import { usePlace } from "../api/workspace.ts";
import { Select } from "../components/field.tsx";
import { Icon } from "../components/icon.tsx";
import { Menu } from "../components/menu.tsx";
import { useToast } from "../components/toast.tsx";
import styles from "./shell.module.css";
import { type Theme, themes, useThemeChoice } from "./theme.ts";

const themeLabels: Record<Theme, string> = {
  system: "Theme: as the system",
  light: "Theme: light",
  dark: "Theme: dark",
};

export function UserMenu() {
  const { user, version } = usePlace().session;
  const signOut = useSignOut();
  const say = useToast();
  const [theme, chooseTheme] = useThemeChoice();
  const options = themes.map((value) => ({ value, label: themeLabels[value] }));
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
    >
      <p className={styles.userMail}>{user.email}</p>
      <Select
        label="Theme"
        hideLabel
        value={theme}
        options={options}
        onText={(chosen) => chooseTheme(themes.find((known) => known === chosen) ?? "system")}
      />
      <hr />
      <Link href="/settings#account">Your account</Link>
      <a href="/docs">API reference</a>
      <button
        type="button"
        onClick={() => void signOut().catch((error: unknown) => say(describeError(error)))}
      >
        Sign out
      </button>
      <p className={styles.userMail}>Starpost {version}</p>
    </Menu>
  );
}
