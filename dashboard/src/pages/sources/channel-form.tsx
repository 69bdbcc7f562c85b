// The fields of a channel: where its events go, which ones, and under which filters.

import { fieldErrors } from "../../api/http-request.ts";
import { useAnswer } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { ErrorNote } from "../../components/feedback.tsx";
import { Switch, TextField } from "../../components/field.tsx";
import { CheckboxGroup, RadioGroup } from "../../components/option-group.tsx";
import { storeName, topicName } from "../../format/names.ts";
import type { Draft } from "./channel-draft.ts";
import styles from "./sources.module.css";

type ChannelFormProps = {
  draft: Draft;
  error: unknown;
  submit: string;
  isBusy: boolean;
  onChange: (draft: Draft) => void;
  onSubmit: () => void;
};

type PartProps = {
  draft: Draft;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<Draft>) => void;
};

export function ChannelForm({
  draft,
  error,
  submit,
  isBusy,
  onChange,
  onSubmit,
}: ChannelFormProps) {
  const errors = fieldErrors(error);
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) onSubmit();
      }}
    >
      <TextField
        label="Name"
        required
        maxLength={200}
        value={draft.name}
        error={errors["name"]}
        onText={(name) => set({ name })}
      />
      <TextField
        label="Address"
        hint="Each event is sent there as a signed POST"
        type="url"
        required
        maxLength={2048}
        placeholder="https://example.com/reviews"
        value={draft.url}
        error={errors["url"]}
        onText={(url) => set({ url })}
      />
      <Events draft={draft} errors={errors} set={set} />
      <Filters draft={draft} errors={errors} set={set} />
      {draft.events.includes("review.rating_drop") ? (
        <DropRule draft={draft} errors={errors} set={set} />
      ) : null}
      <Switch
        label="Translate reviews into English"
        hint="Each event then waits for its translation, but not for long."
        on={draft.translate}
        onChange={(translate) => set({ translate })}
      />
      {error ? <ErrorNote error={error} /> : null}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" busy={isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

const events = [
  { value: "review.created", label: "New review" },
  { value: "review.updated", label: "Edited review" },
  { value: "review.rating_drop", label: "Rating drop" },
] as const;

function Events({ draft, errors, set }: PartProps) {
  const onlyEdits =
    draft.events.includes("review.updated") && !draft.events.includes("review.created");
  return (
    <CheckboxGroup
      legend="Events"
      choices={events}
      chosen={draft.events}
      error={draft.events.length === 0 ? "Choose one at least" : errors["events"]}
      hint={
        onlyEdits
          ? "Without “New review” it only hears of edits of reviews that were sent to it before."
          : "An edit is sent when the review was sent to this channel before."
      }
      onChoose={(chosen) => set({ events: chosen })}
    />
  );
}

const scopes = [
  { value: "all", label: "All" },
  { value: "some", label: "Only some" },
] as const;

const stars = [1, 2, 3, 4, 5].map((value) => ({ value, label: `${value} ★` }));

function Filters({ draft, errors, set }: PartProps) {
  const apps = useAnswer("GET /workspaces/:workspace/apps", {}).data?.apps ?? [];
  const topics = useAnswer("GET /choices", {}).data?.topics ?? [];
  const known = [...new Set([...topics, ...(draft.topics ?? [])])];
  return (
    <>
      <Subset
        legend="Apps"
        chosen={draft.apps}
        choices={apps.map(({ id, name, store }) => ({
          value: id,
          label: `${name} · ${storeName(store)}`,
        }))}
        error={errors["apps"]}
        onChoose={(chosen) => set({ apps: chosen })}
      />
      <Subset
        legend="Stars"
        chosen={draft.stars}
        choices={stars}
        error={errors["stars"]}
        onChoose={(chosen) => set({ stars: chosen })}
      />
      <Subset
        legend="Topics"
        chosen={draft.topics}
        choices={known.map((topic) => ({ value: topic, label: topicName(topic) }))}
        error={errors["topics"]}
        onChoose={(chosen) => set({ topics: chosen })}
      />
    </>
  );
}

type SubsetProps<Value> = {
  legend: string;
  choices: readonly { value: Value; label: string }[];
  /** null: all. */
  chosen: Value[] | null;
  error: string | undefined;
  onChoose: (chosen: Value[] | null) => void;
};

function Subset<Value extends string | number>(props: SubsetProps<Value>) {
  const { legend, choices, chosen, error, onChoose } = props;
  return (
    <div className={styles.subset}>
      <RadioGroup
        legend={legend}
        choices={scopes}
        chosen={chosen === null ? "all" : "some"}
        onChoose={(scope) => onChoose(scope === "all" ? null : [])}
      />
      {chosen === null ? null : (
        <CheckboxGroup
          legend={`${legend} that count`}
          hideLegend
          choices={choices}
          chosen={chosen}
          error={chosen.length === 0 ? "Choose one at least" : error}
          onChoose={onChoose}
        />
      )}
    </div>
  );
}

function DropRule({ draft, errors, set }: PartProps) {
  return (
    <fieldset className={styles.form}>
      <legend className="visually-hidden">When a rating drop is sent</legend>
      <div className={styles.pair}>
        <TextField
          label="Fall of the average"
          hint="Stars"
          inputMode="decimal"
          value={draft.dropThreshold}
          error={errors["dropThreshold"]}
          onText={(dropThreshold) => set({ dropThreshold })}
        />
        <TextField
          label="Within"
          hint="Days"
          inputMode="numeric"
          value={draft.periodDays}
          error={errors["periodDays"]}
          onText={(periodDays) => set({ periodDays })}
        />
        <TextField
          label="At least"
          hint="Ratings"
          inputMode="numeric"
          value={draft.minSampleSize}
          error={errors["minSampleSize"]}
          onText={(minSampleSize) => set({ minSampleSize })}
        />
      </div>
    </fieldset>
  );
}
