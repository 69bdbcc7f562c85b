// The frame of the pages outside of a workspace, and the form that signs a user in.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { SignedIn } from "../../../../src/dashboard-api/contract/session.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useReplaceSession } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";
import { ServiceStrip } from "../../components/service-strip.tsx";
import styles from "./auth.module.css";

export function AuthPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Starpost`;
  }, [title]);
  return (
    <main className={styles.page}>
      <ServiceStrip />
      <div className={styles.brand}>
        <img src="/favicon.svg" alt="" width={32} height={32} />
        Starpost
      </div>
      <div className={styles.card}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

const shownFields = ["email", "password", "code", "name"];

/** The fields show their errors themselves. */
function saysAll(error: unknown): boolean {
  const fields = Object.keys(fieldErrors(error));
  return fields.length > 0 && fields.every((field) => shownFields.includes(field));
}

type AuthFormProps = {
  submitLabel: string;
  /** Not the main action of its page. */
  isSecondary?: boolean;
  /** Signs in, or fails with an error to show; null when it signs in no user, and the page goes on by itself. */
  onSubmit: () => Promise<SignedIn | null>;
  /** The fields, from what is wrong with each. */
  children: (errors: Readonly<Record<string, string>>) => ReactNode;
};

export function AuthForm({ submitLabel, isSecondary, onSubmit, children }: AuthFormProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [location, navigate] = useLocation();
  const replaceSession = useReplaceSession();
  const form = useRef<HTMLFormElement>(null);
  // These pages have nothing else to do than to fill in their form.
  useEffect(() => form.current?.querySelector<HTMLElement>("input:not([readonly])")?.focus(), []);
  const submit = async () => {
    setBusy(true);
    setError(null);
    try {
      const session = await onSubmit();
      if (session === null) {
        setBusy(false);
        return;
      }
      replaceSession(session);
      if (["/setup", "/join", "/sign-in-link"].includes(location)) navigate("/", { replace: true });
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submit();
      }}
    >
      {error && !saysAll(error) ? <ErrorAlert error={error} /> : null}
      {children(fieldErrors(error))}
      <Button kind={isSecondary ? "plain" : "primary"} type="submit" busy={isBusy}>
        {submitLabel}
      </Button>
    </form>
  );
}
