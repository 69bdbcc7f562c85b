// The form for the name of the workspace or of the user: one field and a save button.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { TextField } from "../../components/field.tsx";
import { Form, type FormState } from "../../components/form.tsx";

type NameFormProps = {
  label: string;
  autoComplete?: string;
  /** The saved name. */
  name: string;
  state: FormState;
  onSave: (name: string) => void;
};

export function NameForm({ label, autoComplete, name: savedName, state, onSave }: NameFormProps) {
  const [name, setName] = useState(savedName);
  return (
    <Form
      submitLabel="Save"
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
