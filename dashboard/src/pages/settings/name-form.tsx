// The name of something in the settings: one field, saved by hand.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { Button } from "../../components/button.tsx";
import { ErrorNote } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import styles from "./settings.module.css";

type Saving = { isPending: boolean; isError: boolean; error: Error | null };

export function NameForm(props: {
  label: string;
  autoComplete?: string;
  /** As it is now. */
  name: string;
  saving: Saving;
  onSave: (name: string) => void;
}) {
  const { label, saving } = props;
  const [name, setName] = useState(props.name);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSave(name.trim());
      }}
    >
      <TextField
        label={label}
        {...(props.autoComplete ? { autoComplete: props.autoComplete } : {})}
        required
        maxLength={200}
        value={name}
        error={fieldErrors(saving.error)["name"]}
        onText={setName}
      />
      {saving.isError ? <ErrorNote error={saving.error} /> : null}
      <div className={styles.actions}>
        <Button type="submit" busy={saving.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
