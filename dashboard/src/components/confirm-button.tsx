// A button for what can't be undone: a dialog says what will happen and asks for confirmation.
import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogFooter } from "./dialog.tsx";
import { ErrorAlert } from "./feedback.tsx";

type ConfirmButtonProps = {
  label: string;
  title: string;
  /** The consequences, in a sentence or two. */
  children: ReactNode;
  confirmLabel: string;
  onConfirm: () => Promise<unknown>;
};

export function ConfirmButton(props: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await props.onConfirm();
      setOpen(false);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        {props.label}
      </Button>
      {isOpen ? (
        <Dialog title={props.title} onClose={() => setOpen(false)}>
          <div>{props.children}</div>
          {error ? <ErrorAlert error={error} /> : null}
          <DialogFooter>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button kind="danger" busy={isBusy} onClick={() => void confirm()}>
              {props.confirmLabel}
            </Button>
          </DialogFooter>
        </Dialog>
      ) : null}
    </>
  );
}
