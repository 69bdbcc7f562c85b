// Choices that a file of reviews leaves open: the columns of needed fields, the app of its rows, and what identifies a review.

import type { ImportedFile } from "../../../../src/features/imports/contract.ts";
import { Select, Switch, TextField } from "../../components/field.tsx";
import layout from "../../components/layout.module.css";
import { RadioGroup } from "../../components/option-group.tsx";
import { formatQuantity } from "../../format/numbers.ts";

export type ImportChoices = {
  /** By field. */
  columns: Readonly<Record<string, string>>;
  only: string | null;
  oneApp: boolean;
  makeIds: boolean;
  notify: boolean;
  timeZone: string;
};

export const noChoices: ImportChoices = {
  ...{ columns: {}, only: null, oneApp: false, makeIds: false, notify: false, timeZone: "" },
};

type Question = NonNullable<ImportedFile["reading"]>["questions"][number];

/** Whether the choices answer all that would stop the import. */
export function isAnswered(result: ImportedFile, choices: ImportChoices): boolean {
  const questions = result.reading?.questions ?? [];
  return questions.every(
    ({ kind, column }) =>
      kind === "alike" ||
      (kind === "app" && (choices.oneApp || choices.only !== null)) ||
      (kind === "ids" && (choices.makeIds || choices.columns["id"] === column)),
  );
}

const neededFields = ["id", "rating", "date"] as const;
const fieldNames = { id: "Id of the review", rating: "Stars", date: "Date" };

export function ImportChoicesForm({
  result,
  choices,
  onChange,
}: {
  result: ImportedFile;
  choices: ImportChoices;
  onChange: (choices: ImportChoices) => void;
}) {
  const { reading, missing } = result;
  const change = (changed: Partial<ImportChoices>) => onChange({ ...choices, ...changed });
  const columns = missing?.columns ?? reading?.notRead.map(({ column }) => column) ?? [];
  const known = Object.keys(reading?.fields ?? {});
  const lacking = neededFields.filter(
    (field) =>
      choices.columns[field] !== undefined ||
      (missing ? missing.fields.includes(field) : reading && !known.includes(field)),
  );
  const asksForIds = reading?.questions.some(({ kind }) => kind === "ids") ?? false;
  const needsIds = !asksForIds && (lacking.includes("id") || choices.makeIds);
  return (
    <div className={layout.stack}>
      {lacking.map((field) => (
        <Select
          key={field}
          label={`Column: ${fieldNames[field]}`}
          value={choices.columns[field] ?? ""}
          onValueChange={(column) => {
            const { [field]: _, ...others } = choices.columns;
            change({ columns: column === "" ? others : { ...others, [field]: column } });
          }}
          options={[
            { value: "", label: "–" },
            ...[...new Set([...Object.values(choices.columns), ...columns])].map((column) => ({
              value: column,
              label: column,
            })),
          ]}
        />
      ))}
      {needsIds ? (
        <Switch
          label="Make ids of author, date, words and stars"
          hint="For a file that has none: the same review has the same id in each file"
          on={choices.makeIds}
          onChange={(makeIds) => change({ makeIds })}
        />
      ) : null}
      {reading?.questions.map((question) => (
        <QuestionField
          key={`${question.kind} ${question.column}`}
          question={question}
          choices={choices}
          onChange={change}
        />
      ))}
      {reading?.assumed ? (
        <TextField
          label="Time zone"
          hint={`${formatQuantity(reading.assumed.rows, "date")} without one; UTC if empty`}
          placeholder="Europe/Berlin"
          value={choices.timeZone}
          onValueChange={(timeZone) => change({ timeZone })}
        />
      ) : null}
    </div>
  );
}

function QuestionField({
  question: { kind, column, values = [] },
  choices,
  onChange,
}: {
  question: Question;
  choices: ImportChoices;
  onChange: (changed: Partial<ImportChoices>) => void;
}) {
  if (kind === "alike") return null;
  if (kind === "ids")
    return (
      <RadioGroup
        legend={`“${column}” counts the rows. Does it identify a review?`}
        hint="The next file may give the same number to another review"
        selected={choices.makeIds ? "make" : choices.columns["id"] === column ? "keep" : ""}
        onSelect={(chosen: string) => {
          const { id: _, ...others } = choices.columns;
          const makeIds = chosen === "make";
          onChange({ makeIds, columns: makeIds ? others : { ...others, id: column ?? "" } });
        }}
        options={[
          { value: "make", label: "No: make ids of author, date, words and stars" },
          { value: "keep", label: "Yes: the source keeps these numbers" },
        ]}
      />
    );
  const only = (value: string) => `${column}=${value}`;
  return (
    <RadioGroup
      legend={`“${column}” divides the rows. Is it the app?`}
      selected={choices.oneApp ? "*" : (choices.only ?? "")}
      onSelect={(chosen: string) =>
        onChange(chosen === "*" ? { oneApp: true, only: null } : { oneApp: false, only: chosen })
      }
      options={[
        ...values.map((value) => ({ value: only(value), label: `Only rows of ${value}` })),
        { value: "*", label: "All rows are of this app" },
      ]}
    />
  );
}
