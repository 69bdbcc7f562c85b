// An app's icon; the first letter of its name if it has none or it does not load.
import { useState } from "react";
import styles from "./chip.module.css";

type AppIconProps = { name: string; url: string | null; size?: number };

export function AppIcon({ name, url, size = 32 }: AppIconProps) {
  const [isBroken, setBroken] = useState(false);
  return (
    <span
      className={styles.icon}
      style={{ width: size, height: size, fontSize: size * 0.45 }}
      aria-hidden="true"
    >
      {url && !isBroken ? (
        <img src={url} alt="" loading="lazy" onError={() => setBroken(true)} />
      ) : (
        [...name.trim()][0]
      )}
    </span>
  );
}
