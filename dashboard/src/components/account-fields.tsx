// The fields by which users identify themselves, each the same on every page, so that password managers know it.
import { TextField } from "./field.tsx";

type AccountFieldProps = {
  value: string;
  error?: string | undefined;
  onValueChange: (text: string) => void;
};

/** The address of an account that exists. */
export function EmailField(props: AccountFieldProps) {
  return <TextField {...props} label="E-mail" type="email" autoComplete="username" required />;
}

export function PasswordField(props: AccountFieldProps) {
  return (
    <TextField
      {...props}
      label="Password"
      type="password"
      autoComplete="current-password"
      required
    />
  );
}

export function NewPasswordField({
  label = "Password",
  hint = "12 characters or more",
  ...rest
}: AccountFieldProps & { label?: string; hint?: string }) {
  return (
    <TextField
      {...rest}
      label={label}
      hint={hint}
      type="password"
      autoComplete="new-password"
      required
      minLength={12}
      maxLength={128}
    />
  );
}
