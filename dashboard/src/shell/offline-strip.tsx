// Says above every page that the browser has no connection: figures grow old, and changes wait.
import { useIsOnline } from "../api/online.ts";
import styles from "./shell.module.css";

export function OfflineStrip() {
  return (
    <div role="status">
      {useIsOnline() ? null : (
        <p className={styles.offline}>
          You're offline: figures may be out of date, and changes are sent once you're back.
        </p>
      )}
    </div>
  );
}
