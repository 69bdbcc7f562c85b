// Imports a file of reviews into an app: the file is read first, and nothing is saved before the user has seen how.

import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import type { ImportedFile, ImportLine } from "../../../../src/features/imports/contract.ts";
import { withReauthentication } from "../../api/reauthentication.ts";
import { uploadFile } from "../../api/upload-file.ts";
import { useRouteUrl, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Alert, ErrorAlert } from "../../components/feedback.tsx";
import { Switch } from "../../components/field.tsx";
import layout from "../../components/layout.module.css";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import styles from "./apps.module.css";
import { type ImportChoices, ImportChoicesForm, isAnswered, noChoices } from "./import-choices.tsx";
import { ImportReport } from "./import-report.tsx";

type Progress = { sentShare: number; rowCount: number };

/** Where an attempt that fails leads back to. */
type Resting =
  | { step: "none"; error: unknown }
  /** `read` are the choices that the result was made with. */
  | { step: "read"; file: File; result: ImportedFile; read: ImportChoices; error: unknown };
type State =
  | Resting
  | { step: "reading"; file: File; progress: Progress }
  | { step: "importing"; file: File; total: number; progress: Progress }
  | { step: "done"; file: File; result: ImportedFile };

const noFile: Resting = { step: "none", error: null };
const begun = { sentShare: 0, rowCount: 0 };

export function ImportCard({ app }: { app: FollowedApp }) {
  const [state, setState] = useState<State>(noFile);
  const [choices, setChoices] = useState(noChoices);
  const { send, cancel } = useImport(app);
  const affected = useAffected();

  const read = async (file: File, chosen: ImportChoices, before: Resting = noFile) => {
    setState({ step: "reading", file, progress: begun });
    const onProgress = (progress: Progress) => setState({ step: "reading", file, progress });
    try {
      const result = await send(file, { choices: chosen, dryRun: true, onProgress });
      setState({ step: "read", file, result, read: chosen, error: null });
    } catch (error) {
      setState({ ...before, error: shown(error) });
    }
  };
  const save = async (file: File, total: number) => {
    setState({ step: "importing", file, total, progress: begun });
    const onProgress = (progress: Progress) =>
      setState({ step: "importing", file, total, progress });
    try {
      const result = await send(file, { choices, dryRun: false, onProgress });
      setState({ step: "done", file, result });
    } catch (error) {
      setState({ step: "none", error: shown(error) });
    }
    await affected();
  };
  const choose = (file: File) => {
    setChoices(noChoices);
    void read(file, noChoices);
  };
  return (
    <Card
      title="Import a file"
      hint="Reviews as CSV, JSON or JSONL. Nothing is saved before you have seen how the file is read."
    >
      <div className={layout.stack}>
        {state.step === "none" || state.step === "done" ? <DropZone onFile={choose} /> : null}
        {state.step === "none" && state.error ? <ErrorAlert error={state.error} /> : null}
        {state.step === "reading" || state.step === "importing" ? (
          <Running state={state} onCancel={cancel} />
        ) : null}
        {state.step === "read" ? (
          <Read
            state={state}
            choices={choices}
            onChange={setChoices}
            onRead={() => void read(state.file, choices, state)}
            onSave={() => void save(state.file, countRows(state.result))}
            onLeave={() => setState(noFile)}
          />
        ) : null}
        {state.step === "done" ? <Done file={state.file} result={state.result} /> : null}
      </div>
    </Card>
  );
}

function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  return (
    // Dropping is a shortcut: the field inside does the same by keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above
    <div
      className={isOver ? `${styles.dropZone} ${styles.over}` : styles.dropZone}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <label htmlFor={id}>Choose a file, or drop it here</label>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can be chosen again.
          target.value = "";
          if (file) onFile(file);
        }}
      />
    </div>
  );
}

function Running({
  state,
  onCancel,
}: {
  state: Extract<State, { step: "reading" | "importing" }>;
  onCancel: () => void;
}) {
  const { file, progress } = state;
  const { sentShare, rowCount } = progress;
  const isSending = sentShare < 1 && rowCount === 0;
  const sent = `Sending ${file.name}: ${Math.floor(sentShare * 100)}%`;
  return (
    <div className={layout.stack} role="status">
      {state.step === "importing" && !isSending ? (
        <ProgressBar
          label={`Importing ${file.name}: ${formatCount(rowCount)} of ${formatQuantity(state.total, "row")}`}
          done={rowCount}
          total={state.total}
        />
      ) : (
        <ProgressBar label={isSending ? sent : `Reading ${file.name}`} done={sentShare} total={1} />
      )}
      {state.step === "importing" ? (
        <p className={layout.facts}>Keep this page open. What is imported stays if you cancel.</p>
      ) : null}
      <div className={layout.actions}>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}

function Read({
  state: { file, result, read, error },
  choices,
  onChange,
  onRead,
  onSave,
  onLeave,
}: {
  state: Extract<State, { step: "read" }>;
  choices: ImportChoices;
  onChange: (choices: ImportChoices) => void;
  onRead: () => void;
  onSave: () => void;
  onLeave: () => void;
}) {
  const { missing, inserted, updated, unchanged } = result;
  const acceptedCount = inserted + updated + unchanged;
  const isOld =
    JSON.stringify({ ...choices, notify: false }) !== JSON.stringify({ ...read, notify: false });
  const isOpen = !isAnswered(result, choices);
  return (
    <>
      <h3>{`${file.name}: ${missing ? "columns are missing" : "how it is read"}`}</h3>
      {missing ? (
        <p>{`No column of the file has the name of: ${missing.fields.join(", ")}. Choose them here.`}</p>
      ) : (
        <ImportReport result={result} isTrial />
      )}
      <ImportChoicesForm result={result} choices={choices} onChange={onChange} />
      {acceptedCount > 0 ? (
        <Switch
          label="Send the new reviews to your channels"
          hint="Whatever their date; without this an import sends nothing"
          on={choices.notify}
          onChange={(notify) => onChange({ ...choices, notify })}
        />
      ) : null}
      {error ? <ErrorAlert error={error} /> : null}
      <div className={layout.actions}>
        {isOld || acceptedCount === 0 ? (
          <Button kind="primary" disabled={!isOld} onClick={onRead}>
            Read it again
          </Button>
        ) : (
          <Button kind="primary" disabled={isOpen} onClick={onSave}>
            {`Import ${formatQuantity(acceptedCount, "row")}`}
          </Button>
        )}
        <Button onClick={onLeave}>Choose another file</Button>
      </div>
    </>
  );
}

function Done({ file, result }: { file: File; result: ImportedFile }) {
  const { stopped, inserted, updated, unchanged } = result;
  const isEmpty = inserted + updated + unchanged === 0;
  return (
    <>
      <Alert kind={stopped || isEmpty ? "bad" : "good"}>
        <span role="status">
          {stopped
            ? `${file.name} was not imported to the end: ${stopped.reason}`
            : isEmpty
              ? `Nothing of ${file.name} was imported`
              : `${file.name} was imported`}
        </span>
      </Alert>
      <ImportReport result={result} isTrial={false} />
    </>
  );
}

type Sent = {
  choices: ImportChoices;
  dryRun: boolean;
  onProgress: (progress: Progress) => void;
};

/** One request at a time, which ends with the card. */
function useImport(app: FollowedApp) {
  const controller = useRef<AbortController | null>(null);
  const routeUrl = useRouteUrl();
  useEffect(() => () => controller.current?.abort(), []);
  const send = async (file: File, { choices, dryRun, onProgress }: Sent): Promise<ImportedFile> => {
    const { signal } = begin(controller);
    const { columns, only, timeZone, notify, ...flags } = choices;
    const pairs = Object.entries(columns).map(([field, column]) => `${field}=${column}`);
    const url = routeUrl("POST /workspaces/:workspace/apps/:app/import", {
      path: { app: app.id },
      query: {
        ...{ ...flags, dryRun, notify, name: file.name.slice(-nameMax) },
        ...(pairs.length > 0 && { columns: pairs.join(",") }),
        ...(only !== null && { only }),
        ...(timeZone !== "" && { timeZone }),
      },
    });
    let result: ImportedFile | null = null;
    let progress = begun;
    const report = (changed: Partial<Progress>) => {
      progress = { ...progress, ...changed };
      onProgress(progress);
    };
    await withReauthentication(() =>
      uploadFile<ImportLine>(url, {
        ...{ file, signal },
        onSent: (sentShare) => report({ sentShare }),
        onLine(line) {
          if ("result" in line) result = line.result;
          else report(line);
        },
      }),
    );
    if (result === null) throw new Error("the answer has no result");
    return result;
  };
  return { send, cancel: () => controller.current?.abort() };
}

function begin(controller: { current: AbortController | null }): AbortController {
  const next = new AbortController();
  controller.current = next;
  return next;
}

const nameMax = 200;

/** All that shows reviews may have changed. */
function useAffected(): () => Promise<void> {
  const { workspace } = useWorkspace();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [workspace.id] });
}

function countRows({ inserted, updated, unchanged, rejectedCount, skipped = 0 }: ImportedFile) {
  return inserted + updated + unchanged + rejectedCount + skipped;
}

/** Null for a request that the user cancelled. */
function shown(error: unknown): unknown {
  return error instanceof DOMException && error.name === "AbortError" ? null : error;
}
