// Where a channel's messages go: its type, chosen once, and the fields of that type, each with the way to what has
// to be entered.
import type { ChannelType } from "../../../../src/dashboard-api/contract/channels.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Alert } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import type { ChannelDraft } from "./channel-draft.ts";
import { channelTypeNames } from "./channel-type-names.ts";
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

const types = (Object.keys(channelTypeNames) as ChannelType[]).map((value) => ({
  value,
  label: channelTypeNames[value],
}));

function TypeFields(props: DestinationFieldsProps) {
  switch (props.draft.type) {
    case "webhook":
      return (
        <UrlField
          {...props}
          label="Endpoint URL"
          hint="Each event is sent here as a signed POST"
          placeholder="https://example.com/reviews"
        />
      );
    case "slack":
      return (
        <UrlField
          {...props}
          label="Slack webhook URL"
          hint="In your Slack app: Incoming Webhooks, Add New Webhook to Workspace"
          placeholder="https://hooks.slack.com/services/…"
        />
      );
    case "discord":
      return (
        <UrlField
          {...props}
          label="Discord webhook URL"
          hint="In the channel's settings: Integrations, Webhooks, Copy Webhook URL"
          placeholder="https://discord.com/api/webhooks/…"
        />
      );
    case "teams":
      return (
        <UrlField
          {...props}
          label="Teams workflow URL"
          hint="In the channel's menu: Workflows, Post to a channel when a webhook request is received"
          placeholder="https://….logic.azure.com/workflows/…"
        />
      );
    case "telegram":
      return <TelegramFields {...props} />;
    case "http":
      return <HttpFields {...props} />;
    case "email":
      return <EmailField {...props} />;
  }
}

function EmailField({ draft, errors, set }: DestinationFieldsProps) {
  const canMail = useApiQuery("GET /choices", {}).data?.canMail ?? true;
  return (
    <>
      {canMail ? null : (
        <Alert kind="warn">
          No mail server is set up: ask your operator for SMTP_URL and EMAIL_FROM.
        </Alert>
      )}
      <TextField
        label="E-mail addresses"
        hint="With commas, up to 20"
        required
        value={draft.to}
        error={errors["to"]}
        onValueChange={(to) => set({ to })}
      />
    </>
  );
}

function UrlField({
  draft,
  errors,
  set,
  ...text
}: DestinationFieldsProps & { label: string; hint: string; placeholder: string }) {
  const isSecret = draft.type !== "webhook";
  // Only a part of a secret URL is shown, so it can't be validated as a URL.
  return (
    <TextField
      {...text}
      hint={
        isSecret && !draft.isNew
          ? `${text.hint}. Kept as it is unless you enter another`
          : text.hint
      }
      type={isSecret && !draft.isNew ? "text" : "url"}
      required
      maxLength={2048}
      value={draft.url}
      error={errors["url"]}
      onValueChange={(url) => set({ url })}
    />
  );
}

function TelegramFields({ draft, errors, set }: DestinationFieldsProps) {
  return (
    <>
      <TextField
        label="Token of the bot"
        hint={
          draft.isNew
            ? "From @BotFather; the bot must be a member of the chat"
            : "Kept as it is while this is empty"
        }
        required={draft.isNew}
        autoComplete="off"
        value={draft.token}
        error={errors["token"]}
        onValueChange={(token) => set({ token })}
      />
      <TextField
        label="Chat"
        hint="The chat's id, like -1001234567890, or a channel's @name"
        required
        value={draft.chat}
        error={errors["chat"]}
        onValueChange={(chat) => set({ chat })}
      />
    </>
  );
}
