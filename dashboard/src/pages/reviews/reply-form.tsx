// The box to answer a review: the characters that the store leaves, and templates, whose fields are filled in or asked for.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Reply } from "../../../../src/features/replies/contract.ts";
import { fillFields, findFields } from "../../../../src/features/replies/template-fields.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { keepUnsavedText, readUnsavedText, useUnsavedText } from "../../api/unsaved-texts.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";
import { Select, TextArea, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { replyRoute, reviewRoute, templatesRoute } from "./reply-routes.ts";
import { basisOf, keptText, type ReplyBasis, readBox } from "./reply-text.ts";
import styles from "./work.module.css";

type ReplyFormProps = {
  review: { id: string; date: string };
  reply: Reply;
  /** The user came to answer. */
  isAsked: boolean;
};

export function ReplyForm({ review, reply, isAsked }: ReplyFormProps) {
  const box = useRef<HTMLDivElement>(null);
  const { text, isBehind, enter, keepMine, discard, send, draft, submit, saveDraft } = useReplyBox(
    review,
    reply,
  );
  useEffect(() => {
    if (isAsked) box.current?.querySelector("textarea")?.focus();
  }, [isAsked]);
  const error = fieldErrors(send.error)["text"] ?? fieldErrors(draft.error)["draft"];
  return (
    <div ref={box}>
      <Form
        submitLabel={reply.publicText === null ? "Send" : "Replace the answer"}
        state={send}
        fieldNames={["text"]}
        status={
          <Button busy={draft.isPending} onClick={saveDraft}>
            Save draft
          </Button>
        }
        onSubmit={submit}
      >
        <TextArea
          label="Your answer"
          hint={describeRest(text, reply.charactersMax)}
          required
          rows={5}
          value={text}
          error={error}
          onValueChange={enter}
        />
        {isBehind ? <Behind kept={keptText(reply)} onKeep={keepMine} onDiscard={discard} /> : null}
        {draft.error && !error ? <ErrorAlert error={draft.error} /> : null}
        <Templates reply={reply} onInsert={enter} />
        {reply.canCompose ? (
          <Compose review={review} isEmpty={text === ""} onDraft={enter} />
        ) : null}
      </Form>
    </div>
  );
}

/** The text of the box, kept until it is saved, and the two ways to save it. */
function useReplyBox(review: ReplyFormProps["review"], reply: Reply) {
  const { session, workspace } = useWorkspace();
  const key = `reply/${session.user.id}/${workspace.id}/${review.id}`;
  const { text, basis, isBehind } = readBox(reply, review, useUnsavedText<ReplyBasis>(key));
  const showToast = useToast();
  const client = useQueryClient();
  const send = useApiMutation("POST /workspaces/:workspace/replies/:review/send", [replyRoute]);
  const draft = useApiMutation("POST /workspaces/:workspace/replies/:review/draft", [replyRoute]);
  // A text that the user changed while it was being saved stays.
  const onSaved = (message: string) => {
    if (readUnsavedText(key)?.text === text) keepUnsavedText(key, null);
    showToast(message);
  };
  // The form shows the error, and beside it the text that a colleague saved.
  const onRefused = () => {
    for (const route of [replyRoute, reviewRoute])
      void client.invalidateQueries({ queryKey: [workspace.id, route] });
  };
  const path = { review: review.id };
  const { version } = basis;
  return {
    ...{ text, send, draft },
    isBehind: isBehind && !send.isPending && !draft.isPending,
    enter: (entered: string) => keepUnsavedText(key, { text: entered, basis }),
    keepMine: () => keepUnsavedText(key, { text, basis: basisOf(reply, review) }),
    discard: () => keepUnsavedText(key, null),
    submit: () => {
      draft.reset();
      // Unlike callbacks of mutate(), these are called after the user went on to another review, too.
      send
        .mutateAsync({ path, body: { text, ...basis } })
        .then(() => onSaved("Saved. It is being sent to the store."), onRefused);
    },
    saveDraft: () => {
      send.reset();
      draft
        .mutateAsync({ path, body: { draft: text, version } })
        .then(() => onSaved("Draft saved. Nothing was sent."), onRefused);
    },
  };
}

type BehindProps = { kept: string; onKeep: () => void; onDiscard: () => void };

/** The user sees the text of a colleague before saving over it. */
function Behind({ kept, onKeep, onDiscard }: BehindProps) {
  return (
    <div className={styles.note} role="status">
      <p>The answer or the review was changed since you began to write.</p>
      {kept === "" ? null : (
        <>
          <strong>Saved meanwhile</strong>
          <p dir="auto">{kept}</p>
        </>
      )}
      <p className={styles.from}>
        <Button small onClick={onKeep}>
          Keep my text
        </Button>
        <Button small onClick={onDiscard}>
          Discard my text
        </Button>
      </p>
    </div>
  );
}

function describeRest(text: string, charactersMax: number | null): string | undefined {
  if (charactersMax === null) return undefined;
  const rest = charactersMax - text.trim().length;
  return rest >= 0
    ? `${formatQuantity(rest, "character")} left`
    : `${formatQuantity(-rest, "character")} too many`;
}

type ComposeProps = {
  review: { id: string };
  isEmpty: boolean;
  onDraft: (text: string) => void;
};

/** A draft of a language model goes into an empty box. */
function Compose({ review, isEmpty, onDraft }: ComposeProps) {
  const { data } = useApiQuery(templatesRoute, {});
  const tones = (data?.templates ?? []).filter(({ isTone }) => isTone);
  const [tone, setTone] = useState("");
  const compose = useApiMutation("POST /workspaces/:workspace/replies/:review/compose");
  const request = () =>
    compose.mutate(
      { path: { review: review.id }, body: { tone: tone || null } },
      { onSuccess: ({ text }) => onDraft(text) },
    );
  return (
    <>
      {tones.length > 0 ? (
        <Select
          label="Tone of the draft"
          value={tone}
          options={[
            { value: "", label: "Plain" },
            ...tones.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValueChange={setTone}
        />
      ) : null}
      <Button busy={compose.isPending} disabled={!isEmpty} onClick={request}>
        Draft with the language model
      </Button>
      {compose.error ? <ErrorAlert error={compose.error} /> : null}
    </>
  );
}

function Templates({ reply, onInsert }: { reply: Reply; onInsert: (text: string) => void }) {
  const { data } = useApiQuery(templatesRoute, {});
  const [chosen, setChosen] = useState<string | null>(null);
  const [values, setValues] = useState(reply.fields);
  const templates = (data?.templates ?? []).filter(({ isTone }) => !isTone);
  if (templates.length === 0) return null;
  const findMissing = (text: string) =>
    findFields(text).filter((name) => reply.fields[name].trim() === "");
  const missing = chosen === null ? [] : findMissing(chosen);
  const choose = (id: string) => {
    const text = templates.find((one) => one.id === id)?.text ?? null;
    setChosen(text);
    if (text !== null && findMissing(text).length === 0) onInsert(fillFields(text, values));
  };
  return (
    <>
      <Select
        label="Template"
        value=""
        options={[
          { value: "", label: "Insert a template" },
          ...templates.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onValueChange={choose}
      />
      {chosen !== null && missing.length > 0 ? (
        <div className={styles.work}>
          {missing.map((name) => (
            <TextField
              key={name}
              label={`What is the ${name}?`}
              hint="The store does not say it, and the template has it."
              value={values[name]}
              onValueChange={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
          <Button
            disabled={missing.some((name) => values[name].trim() === "")}
            onClick={() => {
              onInsert(fillFields(chosen, values));
              setChosen(null);
            }}
          >
            Insert the template
          </Button>
        </div>
      ) : null}
    </>
  );
}
