// Form fields. Label, hint and error are tied to their control, also for screen readers.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";
import styles from "./field.module.css";

type FieldText = {
  label: string;
  hint?: ReactNode;
  /** The refusal of the last attempt to submit: it goes once the user types. */
  error?: string | undefined;
  hideLabel?: boolean;
};

type TextFieldProps = FieldText &
  Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> & {
    /** The reason why the text as it is can't be used. */
    fault?: string | undefined;
    ref?: Ref<HTMLInputElement> | undefined;
    onValueChange: (text: string) => void;
  };

export function TextField({
  label,
  hint,
  error,
  fault,
  hideLabel,
  onValueChange: onText,
  ...rest
}: TextFieldProps) {
  const submitted = useErrorUntilTyped(error);
  const wording = { label, hint, error: fault ?? submitted.error };
  return (
    <Field wording={{ ...wording, ...(hideLabel ? { hideLabel } : {}) }}>
      {(names) => (
        <input
          {...rest}
          {...names}
          className={styles.input}
          onChange={(event) => {
            submitted.onType();
            onText(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

/** An error says nothing about a text that has changed since; the next attempt may bring it again. */
function useErrorUntilTyped(error: string | undefined) {
  const [past, setPast] = useState<string | undefined>();
  if (error === undefined && past !== undefined) setPast(undefined);
  return { error: error === past ? undefined : error, onType: () => setPast(error) };
}

type CodeFieldProps = Pick<FieldText, "hint" | "error"> & {
  value: string;
  /** It appeared as the next thing to fill in. */
  isFocused?: boolean;
  onValueChange: (text: string) => void;
};

/** A code of the second factor. Text, not a number: codes begin with zeros, and recovery codes have letters. */
export function CodeField({ hint, isFocused, ...rest }: CodeFieldProps) {
  return (
    <TextField
      {...rest}
      label="Code"
      hint={hint ?? "From your authenticator app, or a recovery code"}
      autoComplete="one-time-code"
      required
      maxLength={40}
      ref={isFocused ? focus : undefined}
    />
  );
}

const focus = (input: HTMLInputElement | null) => input?.focus();

type TextAreaProps = FieldText &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange"> & {
    onValueChange: (text: string) => void;
  };

export function TextArea({ label, hint, error, onValueChange: onText, ...rest }: TextAreaProps) {
  const submitted = useErrorUntilTyped(error);
  return (
    <Field wording={{ label, hint, error: submitted.error }}>
      {(names) => (
        <textarea
          {...rest}
          {...names}
          className={styles.input}
          onChange={(event) => {
            submitted.onType();
            onText(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

type SelectProps = FieldText &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange"> & {
    onValueChange: (value: string) => void;
    options: readonly { value: string; label: string }[];
  };

export function Select({
  label,
  hint,
  error,
  hideLabel,
  options,
  onValueChange: onText,
  ...rest
}: SelectProps) {
  return (
    <Field wording={{ label, hint, error, ...(hideLabel ? { hideLabel } : {}) }}>
      {(names) => (
        <select
          {...rest}
          {...names}
          className={styles.input}
          onChange={(event) => onText(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type SwitchProps = Omit<FieldText, "error"> & {
  on: boolean;
  /** The hint then says why. */
  isDisabled?: boolean;
  onChange: (on: boolean) => void;
};

export function Switch({ label, hint, on, isDisabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={on}
          disabled={isDisabled}
          aria-describedby={hint ? id : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      {hint ? (
        <span id={id} className={styles.hint}>
          {hint}
        </span>
      ) : null}
    </div>
  );
}

type ControlAttributes = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

function Field({
  wording,
  children,
}: {
  wording: FieldText;
  children: (names: ControlAttributes) => ReactNode;
}) {
  const id = useId();
  const { label, hint, error, hideLabel } = wording;
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""]
    .filter(Boolean)
    .join(" ");
  const names: ControlAttributes = {
    id,
    ...(described ? { "aria-describedby": described } : {}),
    ...(error ? { "aria-invalid": true as const } : {}),
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : styles.label}>
        {label}
      </label>
      {children(names)}
      {hint ? (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      ) : null}
      {error ? (
        <span id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </span>
      ) : null}
    </div>
  );
}
