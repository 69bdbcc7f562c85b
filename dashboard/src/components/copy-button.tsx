// A button that copies a text, and a command or secret together with such a button.
import { useState } from "react";
import { Button } from "./button.tsx";
import styles from "./code-line.module.css";
import { Icon } from "./icon.tsx";
import { useToast } from "./toast.tsx";

const confirmationShownMs = 2_500;

type CopyButtonProps = {
  text: string;
  label?: string;
  /** Shown as a toast after copying. */
  confirmation?: string;
};

export function CopyButton({ text, label = "Copy", confirmation = "Copied" }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const showToast = useToast();
  const copy = async () => {
    const hasWorked = await copyText(text);
    setCopied(hasWorked);
    if (hasWorked) setTimeout(() => setCopied(false), confirmationShownMs);
    showToast(
      hasWorked ? confirmation : "Your browser did not allow copying: select the text instead",
    );
  };
  return (
    <Button small onClick={() => void copy()}>
      <Icon name={isCopied ? "check" : "copy"} size={16} />
      {/* Announced here too: screen readers don't read toasts behind an open dialog. */}
      <span aria-live="polite">{isCopied ? "Copied" : label}</span>
    </Button>
  );
}

/** A command or secret to copy. Long ones wrap, so that no part is hidden. */
export function CodeLine({ code, label }: { code: string; label: string }) {
  return (
    <div className={styles.line}>
      <pre className={styles.code}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} confirmation={`${label} copied`} />
    </div>
  );
}

/** Whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages that are not served over TLS have no clipboard; execCommand still works there.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const textarea = document.createElement("textarea");
  textarea.value = text;
  // Outside of an open dialog it could not be focused.
  const container = document.querySelector("dialog[open]") ?? document.body;
  container.append(textarea);
  textarea.select();
  const hasWorked = document.execCommand("copy");
  textarea.remove();
  return hasWorked;
}
