// A button that opens a panel with form controls below it. Escape and a click elsewhere close it; the browser's
// own disclosure does the rest, also for the keyboard and screen readers. The panel stays in the window.
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from "react";
import { useKeptInWindow, useOutside } from "./floating.ts";
import { Icon } from "./icon.tsx";
import styles from "./popover.module.css";

type PopoverProps = {
  button: ReactNode;
  /** A filter that is set, for example. */
  isActive?: boolean;
  /** Looks like the fields beside it. */
  isField?: boolean;
  /** Has room for two lines of a long name. */
  isWide?: boolean;
  /** Before it is shown: what it needs can be loaded. */
  onOpen?: () => void;
  /** Rendered while it is open; gets the way to close it. */
  children: (close: () => void) => ReactNode;
};

export function Popover(props: PopoverProps) {
  const { button, isActive = false, isField = false, isWide = false, onOpen, children } = props;
  const [isOpen, setOpen] = useState(false);
  const details = useRef<HTMLDetailsElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    details.current?.querySelector("summary")?.focus();
  };
  useOutside(isOpen ? details : null, () => setOpen(false));
  useKeptInWindow(panel);
  // Opened, filled and placed in one step: the browser would show it where it does not fit first.
  const toggle = (event: MouseEvent) => {
    event.preventDefault();
    if (!isOpen) onOpen?.();
    setOpen(!isOpen);
  };
  const onKey = (event: KeyboardEvent) => {
    if (isOpen && event.key === "Escape") close();
  };
  return (
    <details ref={details} className={styles.popover} open={isOpen} onKeyDown={onKey}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by itself. */}
      <summary
        className={[styles.button, isField && styles.field, isActive && styles.active]
          .filter(Boolean)
          .join(" ")}
        onClick={toggle}
      >
        <span className={styles.label}>{button}</span>
        {isField ? <Icon name="down" size={16} /> : null}
      </summary>
      {isOpen ? (
        <div
          ref={panel}
          className={isWide ? `${styles.panel} ${styles.wide}` : styles.panel}
          data-panel
        >
          {children(close)}
        </div>
      ) : null}
    </details>
  );
}
