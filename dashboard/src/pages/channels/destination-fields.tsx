// Where a channel's messages go: its type, chosen once, and the fields of that type, each with the way to what has
// to be entered.
import {
  channelTypeIds,
  channelTypes,
  type DestinationField,
  type DestinationName,
  destinationFieldsOf,
} from "../../../../src/domain/channel/channel-types.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Alert } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import type { ChannelDraft } from "./channel-draft.ts";
import { HttpFields } from "./http-fields.tsx";

type DestinationFieldsProps = {
  draft: ChannelDraft;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<ChannelDraft>) => void;
};

export function DestinationFields(props: DestinationFieldsProps) {
  const { draft, set } = props;
  return (
    <>
      {draft.isNew ? (
        <RadioGroup
          legend="Type"
          options={types}
          selected={draft.type}
          onSelect={(type) => set({ type, url: "" })}
        />
      ) : null}
      <TypeFields {...props} />
    </>
  );
}

const types = channelTypeIds.map((value) => ({ value, label: channelTypes[value].name }));

function TypeFields(props: DestinationFieldsProps) {
  const { type } = props.draft;
  if (type === "http") return <HttpFields {...props} />;
  return (
    <>
      {type === "email" ? <MailWarning /> : null}
      {destinationFieldsOf(type).map((name) => (
        <DestinationTextField key={name} {...props} name={name} />
      ))}
    </>
  );
}

function MailWarning() {
  const canMail = useApiQuery("GET /choices", {}).data?.canMail ?? true;
  return canMail ? null : (
    <Alert kind="warn">
      No mail server is set up: ask your operator for SMTP_URL and EMAIL_FROM.
    </Alert>
  );
}

function DestinationTextField(props: DestinationFieldsProps & { name: DestinationName }) {
  const { draft, errors, set, name } = props;
  const fields: Partial<Record<DestinationName, DestinationField>> =
    channelTypes[draft.type].fields;
  const { kind, label, hint = "", keptHint = hint, placeholder } = fields[name] ?? {};
  const isUrl = kind === "url" || (kind === "secretUrl" && draft.isNew);
  return (
    <TextField
      label={label ?? name}
      hint={draft.isNew ? hint : keptHint}
      {...(placeholder && { placeholder })}
      // Only a part of a secret URL is shown, so it can't be validated as a URL.
      {...(isUrl && { type: "url" as const })}
      {...(kind === "botToken" && { autoComplete: "off" })}
      required={draft.isNew || kind !== "botToken"}
      maxLength={2048}
      value={draft[name]}
      error={errors[name]}
      onValueChange={(value) => set({ [name]: value })}
    />
  );
}
