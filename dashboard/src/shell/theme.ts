// The theme: the system's unless the user chose one, which this browser then remembers.
import { useState } from "react";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

// Also read by public/theme.js before the first paint.
const storageKey = "starpost-theme";

export function useThemeChoice(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(readChosen);
  const choose = (chosen: Theme) => {
    setTheme(chosen);
    if (chosen === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = chosen;
    remember(chosen);
  };
  return [theme, choose];
}

function readChosen(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

function remember(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is switched off: the choice then lasts as long as the page.
  }
}
