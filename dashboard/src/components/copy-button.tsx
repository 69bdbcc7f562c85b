// Copies a text and says so; and a line of code or a secret together with its copy button.
import { useState } from "react";
import { Button } from "./button.tsx";
import styles from "./code-line.module.css";
import { Icon } from "./icon.tsx";
import { useToast } from "./toast.tsx";

const saidForMs = 2_500;

type CopyButtonProps = { text: string; label?: string; what?: string };

export function CopyButton({ text, label = "Copy", what = "Copied" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const say = useToast();
  const copy = async () => {
    const done = await copyText(text);
    setCopied(done);
    if (done) setTimeout(() => setCopied(false), saidForMs);
    say(done ? what : "Your browser did not allow copying: select the text instead");
  };
  return (
    <Button small onClick={() => void copy()}>
      <Icon name={copied ? "check" : "copy"} size={16} />
      {/* Said here too: a page behind an open dialog is silent. */}
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </Button>
  );
}

/** A command or secret to take along: it wraps instead of hiding its end. */
export function CodeLine({ code, label }: { code: string; label: string }) {
  return (
    <div className={styles.line}>
      <pre className={styles.code}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={`${label} copied`} />
    </div>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages that are not served over TLS have no clipboard; this older way still works there.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const box = document.createElement("textarea");
  box.value = text;
  const home = document.querySelector("dialog[open]") ?? document.body;
  home.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}
