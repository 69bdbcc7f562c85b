// The fields of a new account.
import type { NewAccount } from "../../../../src/dashboard-api/contract/requests.ts";
import { NewPasswordField } from "../../components/account-fields.tsx";
import { TextField } from "../../components/field.tsx";

export const emptyUser: NewAccount = { name: "", email: "", password: "" };

type UserFieldsProps = {
  user: NewAccount;
  errors: Readonly<Record<string, string>>;
  /** The only address that the invitation accepts. */
  fixedEmail?: string | null;
  onChange: (user: NewAccount) => void;
};

export function UserFields({ user, errors, fixedEmail, onChange }: UserFieldsProps) {
  return (
    <>
      <TextField
        label="Your name"
        autoComplete="name"
        required
        maxLength={200}
        value={user.name}
        error={errors["name"]}
        onValueChange={(name) => onChange({ ...user, name })}
      />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="email"
        required
        readOnly={Boolean(fixedEmail)}
        value={fixedEmail ?? user.email}
        error={errors["email"]}
        onValueChange={(email) => onChange({ ...user, email })}
      />
      <NewPasswordField
        value={user.password}
        error={errors["password"]}
        onValueChange={(password) => onChange({ ...user, password })}
      />
    </>
  );
}
