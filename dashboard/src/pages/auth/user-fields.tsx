// What a new person states of themselves.
import type { NewPerson } from "../../../../src/dashboard-api/contract/session.ts";
import { TextField } from "../../components/field.tsx";

export const nobody: NewPerson = { name: "", email: "", password: "" };

type PersonFieldsProps = {
  person: NewPerson;
  errors: Readonly<Record<string, string>>;
  /** The invitation is for this address alone. */
  fixedEmail?: string | null;
  onChange: (person: NewPerson) => void;
};

export function PersonFields({ person, errors, fixedEmail, onChange }: PersonFieldsProps) {
  return (
    <>
      <TextField
        label="Your name"
        autoComplete="name"
        required
        maxLength={200}
        value={person.name}
        error={errors["name"]}
        onText={(name) => onChange({ ...person, name })}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        required
        readOnly={Boolean(fixedEmail)}
        value={fixedEmail ?? person.email}
        error={errors["email"]}
        onText={(email) => onChange({ ...person, email })}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="12 characters or more"
        required
        minLength={12}
        maxLength={128}
        value={person.password}
        error={errors["password"]}
        onText={(password) => onChange({ ...person, password })}
      />
    </>
  );
}
