// The form for the name of a workspace or of the user: one field and a button.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { TextField } from "../../components/field.tsx";
import { Form, type FormState } from "../../components/form.tsx";

type NameFormProps = {
  label: string;
  submitLabel?: string;
  autoComplete?: string;
  /** The saved name; without it, it is a new one. */
  name?: string;
  state: FormState;
  onSave: (name: string) => void;
};

export function NameForm(props: NameFormProps) {
  const { label, submitLabel = "Save", autoComplete, state, onSave } = props;
  const [name, setName] = useState(props.name ?? "");
  return (
    <Form
      submitLabel={submitLabel}
      state={state}
      fieldNames={["name"]}
      isSecondary
      onSubmit={() => onSave(name.trim())}
    >
      <TextField
        label={label}
        {...(autoComplete ? { autoComplete } : {})}
        required
        maxLength={200}
        value={name}
        error={fieldErrors(state.error)["name"]}
        onValueChange={setName}
      />
    </Form>
  );
}
