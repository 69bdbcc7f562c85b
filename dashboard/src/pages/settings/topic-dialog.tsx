// Defines a topic: its name, its phrases, and beside them what they would have found in the newest reviews.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type {
  OwnTopic,
  TopicPreview,
  TopicSample,
} from "../../../../src/features/own-topics/contract.ts";
import { callApi } from "../../api/api-client.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { TextArea, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { Stars } from "../../components/stars.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { formatCount } from "../../format/numbers.ts";
import styles from "./settings.module.css";

export const topicsRoute = "GET /workspaces/:workspace/topics" as const;

/** @param props.topic null for a new one */
export function TopicDialog({ topic, onClose }: { topic: OwnTopic | null; onClose: () => void }) {
  const [name, setName] = useState("");
  const [version] = useState(topic?.version ?? null);
  const [text, setText] = useState(topic?.phrases.join("\n") ?? "");
  const showToast = useToast();
  const create = useApiMutation("POST /workspaces/:workspace/topics", [topicsRoute]);
  const change = useApiMutation("PATCH /workspaces/:workspace/topics/:topic", [topicsRoute]);
  const state = topic ? change : create;
  const errors = fieldErrors(state.error);
  const phrases = toPhrases(text);
  const options = {
    onSuccess: () => {
      showToast("Saved. Stored reviews are being read.");
      onClose();
    },
  };
  const save = () =>
    topic
      ? change.mutate({ path: { topic: topic.id }, body: { phrases, version } }, options)
      : create.mutate({ body: { name, phrases } }, options);
  return (
    <FormDialog
      title={topic ? `Edit ${topic.name}` : "Add a topic"}
      submitLabel={topic ? "Save" : "Add the topic"}
      state={state}
      fieldNames={["name", "phrases"]}
      onClose={onClose}
      onSubmit={save}
    >
      {topic ? null : (
        <TextField
          label="Name"
          hint="Letters and digits, like sleep_timer. It can't be changed later."
          required
          maxLength={40}
          value={name}
          error={errors["name"]}
          onValueChange={setName}
        />
      )}
      <TextArea
        label="Phrases"
        hint="One a line, in any language. A * continues the word: sync* finds syncing. A - excludes: -synced is not counted."
        required
        rows={5}
        value={text}
        error={errors["phrases"]}
        onValueChange={setText}
      />
      <Preview
        phrases={phrases}
        onExclude={(word) => setText(`${phrases.join("\n")}\n-${word.toLowerCase()}`)}
      />
    </FormDialog>
  );
}

function toPhrases(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

type PreviewProps = { phrases: string[]; onExclude: (word: string) => void };

function Preview({ phrases, onExclude }: PreviewProps) {
  const { workspace } = useWorkspace();
  const route = "POST /workspaces/:workspace/topics/preview" as const;
  const json = useDebounced(JSON.stringify(phrases));
  const body: { phrases: string[] } = { phrases: JSON.parse(json) };
  const preview = useQuery<TopicPreview>({
    queryKey: [workspace.id, route, json],
    queryFn: ({ signal }) =>
      callApi(route, withWorkspace<typeof route>({ body }, workspace.id), signal),
    // One that is being typed begins with a single letter, which is refused.
    enabled: body.phrases.length > 0 && body.phrases.every(({ length }) => length > 1),
    placeholderData: keepPreviousData,
    retry: false,
  });
  // Faults in the phrases are reported when the form is submitted.
  const found = body.phrases.length === 0 || preview.isError ? undefined : preview.data;
  return (
    <SampleArea>
      <p role="status">
        {found ? (
          <strong>{describeFound(found)}</strong>
        ) : (
          <span className={styles.soft}>What the phrases would have found is shown here.</span>
        )}
      </p>
      {found && found.phraseCounts.length > 1 ? (
        <p className={styles.soft}>
          {found.phraseCounts
            .filter(({ phrase }) => !phrase.startsWith("-"))
            .map(({ phrase, count }) => `${phrase} ${formatCount(count)}`)
            .join(" · ")}
        </p>
      ) : null}
      <ul className={styles.samples}>
        {found?.samples.map((sample) => (
          <Sample key={sample.id} sample={sample} onExclude={onExclude} />
        ))}
      </ul>
    </SampleArea>
  );
}

function describeFound({ matchCount, readCount }: TopicPreview): string {
  return `Would have matched ${formatCount(matchCount)} of the last ${formatCount(readCount)} reviews`;
}

/** As high without reviews as with many: nothing moves when they come. */
export function SampleArea({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by the keyboard
    <section className={styles.sampleArea} aria-label="Reviews" tabIndex={0}>
      {children}
    </section>
  );
}

type SampleProps = {
  sample: TopicSample;
  /** The actions on a match. */
  tools?: ReactNode;
  /** A click on the word that was found takes it out of the topic. */
  onExclude?: (word: string) => void;
};

export function Sample({ sample, tools, onExclude }: SampleProps) {
  const { rating, date, title, text, words } = sample;
  return (
    <li>
      <span className={styles.soft}>
        <Stars rating={rating} size={13} /> <Time at={date} />
      </span>
      <p dir="auto">
        <Marked
          text={[title, text].filter(Boolean).join(": ")}
          words={words}
          onExclude={onExclude}
        />
      </p>
      {tools}
    </li>
  );
}

const contextUnits = 90;

type MarkedProps = {
  text: string;
  words: readonly string[];
  onExclude: SampleProps["onExclude"];
};

/** The text around the first of the words, which are marked. */
function Marked({ text, words, onExclude }: MarkedProps) {
  const [word = ""] = words;
  const at = text.indexOf(word);
  if (word === "" || at < 0) return text.slice(0, 2 * contextUnits);
  const start = Math.max(0, at - contextUnits);
  const end = at + word.length;
  return (
    <>
      {start > 0 ? "…" : ""}
      {text.slice(start, at)}
      <mark>
        {onExclude ? (
          <button type="button" title={`Exclude “${word}”`} onClick={() => onExclude(word)}>
            {word}
          </button>
        ) : (
          word
        )}
      </mark>
      {text.slice(end, end + contextUnits)}
      {text.length > end + contextUnits ? "…" : ""}
    </>
  );
}
