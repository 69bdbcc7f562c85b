// Short news of what was just done: seen for some seconds at the foot of the page and read aloud politely.
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import styles from "./toast.module.css";

type Say = (text: string) => void;
type Toast = { id: number; text: string };

const shownForMs = 6_000;
const shownMax = 3;

const ToastContext = createContext<Say>(() => undefined);

export function useToast(): Say {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const say = useCallback<Say>((text) => {
    const id = Math.random();
    setToasts((shown) => [...shown, { id, text }].slice(-shownMax));
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), shownForMs);
  }, []);
  const list = useMemo(
    () =>
      toasts.map(({ id, text }) => (
        <p key={id} className={styles.toast}>
          {text}
        </p>
      )),
    [toasts],
  );
  return (
    <ToastContext value={say}>
      {children}
      {/* Always there, because a live region that appears with its text is not read. */}
      <div className={styles.toasts} role="status" aria-live="polite">
        {list}
      </div>
    </ToastContext>
  );
}
