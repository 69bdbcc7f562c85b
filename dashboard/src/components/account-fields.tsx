// The fields by which users identify themselves, each the same on every page, so that password managers know it.
import { TextField } from "./field.tsx";

type AccountFieldProps = {
  value: string;
  error?: string | undefined;
  onValueChange: (text: string) => void;
};

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
