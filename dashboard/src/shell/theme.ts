// The theme: the system's, unless the user has chosen one. The choice is stored in this browser.
import { useState } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

// public/start.js reads it before the first paint.
const storageKey = "starpost-theme";

export function useThemeChoice(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(readTheme);
  const chooseTheme = (choice: Theme) => {
    setTheme(choice);
    if (choice === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = choice;
    storeTheme(choice);
  };
  return [theme, chooseTheme];
}

function readTheme(): Theme {
  const theme = document.documentElement.dataset["theme"];
  return theme === "light" || theme === "dark" ? theme : "system";
}

function storeTheme(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is switched off: the choice lasts until the page is closed.
  }
}
