// The frame of the pages before the sign-in, and the form they all are.
import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { SignedIn } from "../../../../src/dashboard-api/contract/session.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useEnter } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { ErrorNote } from "../../components/feedback.tsx";
import styles from "./auth.module.css";

export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Starpost`;
  }, [title]);
  return (
    <main className={styles.entrance}>
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

type EntranceFormProps = {
  submit: string;
  /** Signs in, or fails with words for the person. */
  onSubmit: () => Promise<SignedIn>;
  /** Handed what is wrong with each field. */
  children: (errors: Readonly<Record<string, string>>) => ReactNode;
};

export function EntranceForm({ submit, onSubmit, children }: EntranceFormProps) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [location, navigate] = useLocation();
  const enter = useEnter();
  const send = async () => {
    setBusy(true);
    setError(null);
    try {
      enter(await onSubmit());
      if (location === "/setup" || location === "/join") navigate("/", { replace: true });
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void send();
      }}
    >
      {error ? <ErrorNote error={error} /> : null}
      {children(fieldErrors(error))}
      <Button kind="primary" type="submit" busy={isBusy}>
        {submit}
      </Button>
    </form>
  );
}
