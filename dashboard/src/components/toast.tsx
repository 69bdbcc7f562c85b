// Short messages at the bottom of the page about what was just done. They disappear after some seconds.
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import styles from "./toast.module.css";

type ShowToast = (text: string, onUndo?: () => void) => void;
type Toast = { id: number; text: string; onUndo: (() => void) | undefined };

const shownForMs = 6_000;
const shownMax = 3;

const ToastContext = createContext<ShowToast>(() => undefined);

export function useToast(): ShowToast {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const showToast = useCallback<ShowToast>((text, onUndo) => {
    const id = Math.random();
    setToasts((shown) => [...shown, { id, text, onUndo }].slice(-shownMax));
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), shownForMs);
  }, []);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Shown anew, it lies above a dialog that was opened meanwhile.
    if (toasts.length === 0) return;
    ref.current?.hidePopover();
    ref.current?.showPopover();
  }, [toasts]);
  const list = useMemo(
    () =>
      toasts.map(({ id, text, onUndo }) => (
        <p key={id} className={styles.toast}>
          {text}
          {onUndo ? (
            <button
              type="button"
              onClick={() => {
                setToasts((shown) => shown.filter((toast) => toast.id !== id));
                onUndo();
              }}
            >
              Undo
            </button>
          ) : null}
        </p>
      )),
    [toasts],
  );
  return (
    <ToastContext value={showToast}>
      {children}
      {/* Always rendered: screen readers don't announce a live region that appears with its text. */}
      <div ref={ref} popover="manual" className={styles.toasts} role="status" aria-live="polite">
        {list}
      </div>
    </ToastContext>
  );
}
