// A modal dialog on the browser's own <dialog>: the focus stays inside, Escape closes it, and the focus
// returns to where it was.
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";
import styles from "./dialog.module.css";
import { Icon } from "./icon.tsx";

type DialogProps = { title: string; onClose: () => void; children: ReactNode };

/** Open as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    // The first field, or else the first button below the close button.
    const fields = dialog?.querySelector<HTMLElement>("input, select, textarea");
    (fields ?? body.current?.querySelector<HTMLElement>("button"))?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" small aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <div ref={body} className={styles.body}>
        {children}
      </div>
    </dialog>
  );
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className={styles.footer}>{children}</div>;
}
