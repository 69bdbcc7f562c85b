// Says above every page that the browser has no connection, or that the service can't be read, until it is read again.
import { useSyncExternalStore } from "react";
import { describeError, type RequestError } from "../api/http-request.ts";
import { useIsOnline } from "../api/online.ts";
import { recovery } from "../api/recovery.ts";
import { Button } from "./button.tsx";
import styles from "./feedback.module.css";

/** Why a part of the page can't be read at present; null while all can. */
export function useServiceFailure(): RequestError | null {
  return useSyncExternalStore(recovery.subscribe, recovery.readFailure);
}

export function ServiceStrip() {
  const isOnline = useIsOnline();
  const failure = useServiceFailure();
  if (isOnline && !failure) return null;
  return (
    <div className={styles.strip} data-print="hidden">
      {isOnline ? (
        <>
          <span role="alert">{describeError(failure)} This page keeps trying.</span>
          <Button small onClick={recovery.tryNow}>
            Try again
          </Button>
        </>
      ) : (
        <span role="status">
          You're offline: figures may be out of date, and changes are sent once you're back.
        </span>
      )}
    </div>
  );
}
