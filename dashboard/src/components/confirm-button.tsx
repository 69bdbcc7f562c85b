// A button for what can't be undone: a dialog says what will happen and asks for confirmation.
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogFooter } from "./dialog.tsx";
import { ErrorAlert } from "./feedback.tsx";

type ConfirmDialogProps = {
  title: string;
  /** The consequences, in a sentence or two. */
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

type ConfirmButtonProps = Omit<ConfirmDialogProps, "onClose"> & { label: string };

export function ConfirmButton({ label, ...dialog }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? <ConfirmDialog {...dialog} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, onConfirm, onClose } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      onClose();
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      {error ? <ErrorAlert error={error} /> : null}
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" busy={isBusy} onClick={() => void confirm()}>
          {confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
