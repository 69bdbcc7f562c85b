// A form: its fields, the error of the last submit, and its buttons. FormDialog is one in a dialog.
import type { ReactNode } from "react";
import { fieldErrors } from "../api/http-request.ts";
import { useIsOnline } from "../api/online.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogFooter } from "./dialog.tsx";
import { ErrorAlert } from "./feedback.tsx";
import styles from "./form.module.css";

/** The part of a mutation that a form shows. */
export type FormState = { isPending: boolean; error: unknown };

type FormProps = {
  submitLabel: string;
  state: FormState;
  /** Names of the fields that show their own error, so that it isn't said twice. */
  fieldNames?: readonly string[];
  onSubmit: () => void;
  /** Not the main action of its page. */
  isSecondary?: boolean;
  /** Higher than the window: its button stays in reach. */
  isLong?: boolean;
  /** Shown beside the submit button. */
  status?: ReactNode;
  /** In a dialog: a button that leaves without submitting. */
  cancel?: { label: string; onCancel: () => void };
  children: ReactNode;
};

export function Form(props: FormProps) {
  const { submitLabel, state, onSubmit, isSecondary, status, cancel, children } = props;
  const isWaiting = !useIsOnline() && state.isPending;
  const isShownByFields = isEveryFieldIn(state.error, props.fieldNames ?? []);
  const submit = (
    <Button kind={isSecondary ? "plain" : "primary"} type="submit" busy={state.isPending}>
      {submitLabel}
    </Button>
  );
  return (
    <form
      className={isSecondary ? `${styles.form} ${styles.narrow}` : styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!state.isPending) onSubmit();
      }}
    >
      {children}
      {isWaiting ? (
        <p role="status">Waiting for a connection. It is sent once you're back.</p>
      ) : null}
      {state.error && !isShownByFields ? <ErrorAlert error={state.error} /> : null}
      {cancel ? (
        <DialogFooter>
          <Button onClick={cancel.onCancel}>{cancel.label}</Button>
          {submit}
        </DialogFooter>
      ) : (
        <div className={props.isLong ? `${styles.actions} ${styles.kept}` : styles.actions}>
          {submit}
          {status}
        </div>
      )}
    </form>
  );
}

/** False for an error of no field, and for one of a field that the form doesn't have. */
function isEveryFieldIn(error: unknown, fieldNames: readonly string[]): boolean {
  const names = Object.keys(fieldErrors(error));
  return names.length > 0 && names.every((name) => fieldNames.includes(name));
}

type FormDialogProps = Omit<FormProps, "cancel"> & { title: string; onClose: () => void };

export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} cancel={{ label: "Cancel", onCancel: onClose }} />
    </Dialog>
  );
}
