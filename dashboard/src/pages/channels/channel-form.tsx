// The form of a channel: where its events are sent, which events, and its filters.
import { Fragment } from "react";
import {
  channelNumberNames,
  channelNumbers,
} from "../../../../src/domain/channel/channel-types.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Select, Switch, TextField } from "../../components/field.tsx";
import { Form, type FormState } from "../../components/form.tsx";
import { CheckboxGroup, RadioGroup } from "../../components/option-group.tsx";
import { manyMin, Picker } from "../../components/picker.tsx";
import { appLabel, topicName } from "../../format/names.ts";
import type { ChannelDraft } from "./channel-draft.ts";
import styles from "./channels.module.css";
import { DestinationFields } from "./destination-fields.tsx";
import { MoreFilters } from "./more-filters.tsx";
import { RhythmFields } from "./rhythm-fields.tsx";

type ChannelFormProps = {
  draft: ChannelDraft;
  submitLabel: string;
  state: FormState;
  onChange: (draft: ChannelDraft) => void;
  onSubmit: () => void;
};

type FieldsProps = {
  draft: ChannelDraft;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<ChannelDraft>) => void;
};

const fieldNames = [
  ...[
    "name",
    "type",
    "url",
    "headers",
    "token",
    "request",
    "chat",
    "to",
    "events",
    "apps",
    "stars",
  ],
  ...["topics", "filter", "view", "digest", "digestAt", "timeZone", ...channelNumberNames],
];

export function ChannelForm({ draft, submitLabel, state, onChange, onSubmit }: ChannelFormProps) {
  const errors = fieldErrors(state.error);
  const set = (change: Partial<ChannelDraft>) => onChange({ ...draft, ...change });
  const sendsEvents = draft.type === "webhook" || draft.digest === null;
  return (
    <Form
      submitLabel={submitLabel}
      state={state}
      fieldNames={fieldNames}
      isLong
      onSubmit={onSubmit}
    >
      <TextField
        label="Name"
        required
        maxLength={200}
        value={draft.name}
        error={errors["name"]}
        onValueChange={(name) => set({ name })}
      />
      <DestinationFields draft={draft} errors={errors} set={set} />
      {draft.type === "webhook" ? null : <RhythmFields draft={draft} errors={errors} set={set} />}
      {sendsEvents ? <EventFields draft={draft} errors={errors} set={set} /> : null}
      <FilterFields draft={draft} errors={errors} set={set} />
      {sendsEvents && draft.events.includes("review.rating_drop") ? (
        <RatingDropFields draft={draft} errors={errors} set={set} />
      ) : null}
      {sendsEvents ? <TranslateSwitch draft={draft} errors={errors} set={set} /> : null}
    </Form>
  );
}

function TranslateSwitch({ draft, set }: FieldsProps) {
  const canTranslate = useApiQuery("GET /choices", {}).data?.canTranslate ?? true;
  return (
    <Switch
      label="Translate reviews into English"
      hint={
        canTranslate
          ? "Waits for the translation, by default up to 10 minutes."
          : "No translation provider is set: ask your operator for TRANSLATE_PROVIDER. Events are sent untranslated."
      }
      on={draft.translate}
      isDisabled={!canTranslate && !draft.translate}
      onChange={(translate) => set({ translate })}
    />
  );
}

const events = [
  { value: "review.created", label: "New review" },
  { value: "review.updated", label: "Edited review" },
  { value: "review.rating_drop", label: "Rating drop" },
  { value: "release.worse", label: "The newest release is worse" },
  { value: "reviews.spike", label: "Spike of a topic or of negative reviews" },
  { value: "storefront.failing", label: "A storefront can't be read" },
  { value: "channel.failing", label: "Another channel fails" },
] as const;

function EventFields({ draft, errors, set }: FieldsProps) {
  const onlyEdits =
    draft.events.includes("review.updated") && !draft.events.includes("review.created");
  return (
    <CheckboxGroup
      legend="Events"
      options={events}
      selected={draft.events}
      error={errors["events"]}
      hint={
        draft.events.length === 0
          ? chooseOne
          : onlyEdits
            ? "Without “New review”, edits are sent only for reviews this channel received earlier."
            : "Edits are sent only for reviews this channel already received."
      }
      onSelect={(selected) => set({ events: selected })}
    />
  );
}

/** A hint, not an error: a user who just chose "Only some" has made no mistake. */
const chooseOne = "Choose at least one";

const scopes = [
  { value: "all", label: "All" },
  { value: "some", label: "Only some" },
] as const;

const stars = [1, 2, 3, 4, 5].map((value) => ({ value, label: `${value} ★` }));

function FilterFields({ draft, errors, set }: FieldsProps) {
  const apps = useApiQuery("GET /workspaces/:workspace/app-names", {}).data?.apps ?? [];
  const topics = useApiQuery("GET /choices", {}).data?.topics ?? [];
  const own = useApiQuery("GET /workspaces/:workspace/topics", {}).data?.topics ?? [];
  // The topics of the draft are options too, even if no review has them.
  const allTopics = [
    ...new Set([...topics, ...own.map(({ name }) => name), ...(draft.topics ?? [])]),
  ];
  const views = useApiQuery("GET /workspaces/:workspace/views", {}).data?.views ?? [];
  const choices = [
    { value: "", label: "Filters chosen here" },
    ...views.map(({ id, name }) => ({ value: id, label: `The saved view ${name}` })),
  ];
  const filterless = { apps: null, stars: null, topics: null, filter: null };
  const source =
    views.length === 0 && !draft.view ? null : (
      <Select
        label="Reviews"
        options={choices}
        value={draft.view ?? ""}
        error={errors["view"]}
        hint={draft.view ? "When the view changes, this channel changes with it" : undefined}
        onValueChange={(view) => set({ view: view || null, ...(view && filterless) })}
      />
    );
  if (draft.view) return source;
  return (
    <>
      {source}
      <Subset
        legend="Apps"
        selected={draft.apps}
        options={apps
          .map((app) => ({ value: app.id, label: appLabel(app) }))
          .toSorted((one, other) => one.label.localeCompare(other.label))}
        error={errors["apps"]}
        onSelect={(selected) => set({ apps: selected })}
      />
      <Subset
        legend="Stars"
        selected={draft.stars}
        options={stars}
        error={errors["stars"]}
        onSelect={(selected) => set({ stars: selected })}
      />
      <Subset
        legend="Topics"
        selected={draft.topics}
        options={allTopics.map((topic) => ({ value: topic, label: topicName(topic) }))}
        error={errors["topics"]}
        onSelect={(selected) => set({ topics: selected })}
      />
      <MoreFilters
        filter={draft.filter ?? ""}
        error={errors["filter"]}
        onChange={(filter) => set({ filter: filter || null })}
      />
    </>
  );
}

type SubsetProps<Value> = {
  legend: string;
  options: readonly { value: Value; label: string }[];
  /** null: all. */
  selected: Value[] | null;
  error: string | undefined;
  onSelect: (selected: Value[] | null) => void;
};

function Subset<Value extends string | number>(props: SubsetProps<Value>) {
  const { legend, selected, onSelect } = props;
  return (
    <div className={styles.subset}>
      <RadioGroup
        legend={legend}
        options={scopes}
        selected={selected === null ? "all" : "some"}
        onSelect={(scope) => onSelect(scope === "all" ? null : [])}
      />
      {selected === null ? null : <SubsetChoices {...props} selected={selected} />}
    </div>
  );
}

/** A few beside each other, many in a picker. */
function SubsetChoices<Value extends string | number>(
  props: SubsetProps<Value> & { selected: Value[] },
) {
  const { legend, options, selected, error, onSelect } = props;
  const noun = legend.toLowerCase();
  const isMany = options.length >= manyMin;
  return (
    <CheckboxGroup
      legend={`Selected ${noun}`}
      hideLegend
      options={isMany ? [] : options}
      selected={selected}
      error={error}
      hint={selected.length === 0 ? chooseOne : undefined}
      onSelect={onSelect}
    >
      {isMany ? (
        <Picker
          noun={noun}
          isMultiple
          isFramed
          options={options.map(({ value, label }) => ({ value: String(value), label }))}
          selected={selected.map(String)}
          onSelect={(texts) =>
            onSelect(options.flatMap(({ value }) => (texts.includes(String(value)) ? value : [])))
          }
        />
      ) : null}
    </CheckboxGroup>
  );
}

function RatingDropFields({ draft, errors, set }: FieldsProps) {
  return (
    <fieldset className={styles.sentence}>
      <legend className="visually-hidden">Rating drop</legend>
      {channelNumberNames.map((name) => {
        const { wordsBefore, label, isWhole } = channelNumbers[name];
        return (
          <Fragment key={name}>
            <span>{wordsBefore}</span>
            <TextField
              label={label}
              hideLabel
              inputMode={isWhole ? "numeric" : "decimal"}
              value={draft[name]}
              error={errors[name]}
              onValueChange={(value) => set({ [name]: value })}
            />
          </Fragment>
        );
      })}
      <span>ratings</span>
    </fieldset>
  );
}
