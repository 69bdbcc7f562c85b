// A button that opens a panel with form controls below it. Escape and a click elsewhere close it; the browser's
// own disclosure does the rest, also for the keyboard and screen readers.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import styles from "./popover.module.css";

type PopoverProps = {
  button: ReactNode;
  /** A filter that is set, for example. */
  isActive?: boolean;
  /** Gets the way to close it. */
  children: (close: () => void) => ReactNode;
};

export function Popover({ button, isActive = false, children }: PopoverProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (!details.current?.open) return;
    details.current.open = false;
    details.current.querySelector("summary")?.focus();
  };
  useEffect(() => {
    const closeOutside = (event: Event) => {
      const element = details.current;
      if (element?.open && event.target instanceof Node && !element.contains(event.target)) {
        element.open = false;
      }
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
    };
  }, []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
  };
  return (
    <details ref={details} className={styles.popover} onKeyDown={onKey}>
      <summary className={isActive ? `${styles.button} ${styles.active}` : styles.button}>
        {button}
      </summary>
      <div className={styles.panel}>{children(close)}</div>
    </details>
  );
}
