// Labelled form fields: label, hint and error belong to their control for eyes and for screen readers.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import styles from "./field.module.css";

type Wording = { label: string; hint?: ReactNode; error?: string | undefined; hideLabel?: boolean };

type TextFieldProps = Wording &
  Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> & {
    onText: (text: string) => void;
  };

export function TextField({ label, hint, error, hideLabel, onText, ...rest }: TextFieldProps) {
  return (
    <Frame wording={{ label, hint, error, ...(hideLabel ? { hideLabel } : {}) }}>
      {(names) => (
        <input
          {...rest}
          {...names}
          className={styles.input}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Frame>
  );
}

type TextAreaProps = Wording &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "onChange"> & {
    onText: (text: string) => void;
  };

export function TextArea({ label, hint, error, onText, ...rest }: TextAreaProps) {
  return (
    <Frame wording={{ label, hint, error }}>
      {(names) => (
        <textarea
          {...rest}
          {...names}
          className={styles.input}
          onChange={(event) => onText(event.target.value)}
        />
      )}
    </Frame>
  );
}

type SelectProps = Wording &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, "onChange"> & {
    onText: (value: string) => void;
    options: readonly { value: string; label: string }[];
  };

export function Select({ label, hint, error, hideLabel, options, onText, ...rest }: SelectProps) {
  return (
    <Frame wording={{ label, hint, error, ...(hideLabel ? { hideLabel } : {}) }}>
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
    </Frame>
  );
}

type SwitchProps = Omit<Wording, "error"> & { on: boolean; onChange: (on: boolean) => void };

export function Switch({ label, hint, on, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.switch}>
        <input
          type="checkbox"
          checked={on}
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

type Names = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

function Frame({ wording, children }: { wording: Wording; children: (names: Names) => ReactNode }) {
  const id = useId();
  const { label, hint, error, hideLabel } = wording;
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""]
    .filter(Boolean)
    .join(" ");
  const names: Names = {
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
