// A button for what can't be taken back: it says what will happen and asks once more.
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogFoot } from "./dialog.tsx";
import { ErrorNote } from "./feedback.tsx";

type ConfirmButtonProps = {
  label: string;
  title: string;
  /** What will happen, in a sentence or two. */
  children: ReactNode;
  confirmLabel: string;
  kind?: "plain" | "quiet" | "danger";
  onConfirm: () => Promise<unknown>;
};

export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, title, children, confirmLabel, kind = "plain", onConfirm } = props;
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      setOpen(false);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button small kind={kind} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <div>{children}</div>
          {error ? <ErrorNote error={error} /> : null}
          <DialogFoot>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind="danger" busy={isBusy} onClick={() => void confirm()}>
              {confirmLabel}
            </Button>
          </DialogFoot>
        </Dialog>
      ) : null}
    </>
  );
}
