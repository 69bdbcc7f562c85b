// The fields of an HTTP channel: a service, of which people enter what differs between accounts, or a request of one's own,
// with its URL, headers, token and template.
import { useState } from "react";
import type { HttpPreset } from "../../../../src/dashboard-api/contract/apps.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Select, TextArea, TextField } from "../../components/field.tsx";
import { type ChannelDraft, toRequestDraft } from "./channel-draft.ts";
import { fillPreset, isUrlFilled, readField, takesToken, toToken } from "./http-preset.ts";

type HttpFieldsProps = {
  draft: ChannelDraft;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<ChannelDraft>) => void;
};

export function HttpFields(props: HttpFieldsProps) {
  const { draft, errors, set } = props;
  const [chosen, setChosen] = useState<HttpPreset | null>(null);
  const presets = useApiQuery("GET /choices", {}).data?.presets ?? [];
  const choose = (id: string) => {
    const preset = presets.find((one) => one.id === id) ?? null;
    setChosen(preset);
    if (!preset) return;
    const { url, headers, request } = preset;
    set({ url, headers, token: "", request: toRequestDraft(request) });
  };
  const options = [
    { value: "", label: "A request of your own" },
    ...presets.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      {draft.isNew ? (
        <Select label="Service" options={options} value={chosen?.id ?? ""} onValueChange={choose} />
      ) : null}
      {chosen ? (
        <>
          <PresetFields key={chosen.id} {...props} preset={chosen} />
          <details open={Object.keys(errors).some((name) => name !== "name") || undefined}>
            <summary>Advanced: URL, headers and JSON</summary>
            {isUrlFilled(chosen) ? <UrlField {...props} /> : null}
            <HeadersField draft={draft} errors={errors} set={set} />
            <TemplateFields draft={draft} errors={errors} set={set} />
          </details>
        </>
      ) : (
        <>
          <UrlField {...props} />
          <HeadersField draft={draft} errors={errors} set={set} />
          <TokenField
            {...props}
            hint="Put where {{token}} is. Stored encrypted, never shown again"
          />
          <TemplateFields draft={draft} errors={errors} set={set} />
        </>
      )}
    </>
  );
}

/** The facts that differ between accounts. The token is kept apart, because with some services an address belongs to it. */
function PresetFields(props: HttpFieldsProps & { preset: HttpPreset }) {
  const { draft, errors, set, preset } = props;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  /** Fields that were left with an entry that they refuse. */
  const [refused, setRefused] = useState<readonly string[]>([]);
  const [login, setLogin] = useState({ email: "", token: "" });
  const fill = (entered: typeof values) => {
    setValues(entered);
    const { url, request } = fillPreset(preset, entered);
    set({ url, request: toRequestDraft(request) });
  };
  const authorize = (change: Partial<typeof login>) => {
    const entered = { ...login, ...change };
    setLogin(entered);
    set({ token: toToken(preset, entered) });
  };
  return (
    <>
      {isUrlFilled(preset) ? null : <UrlField {...props} hint={preset.hint} />}
      {preset.fields.map((field) => (
        <TextField
          key={field.blank}
          label={field.label}
          hint={field.hint}
          required
          maxLength={200}
          pattern={`\\s*(?:${field.pattern})\\s*`}
          title={field.hint}
          value={values[field.blank] ?? ""}
          error={refused.includes(field.blank) ? `Not accepted. ${field.hint}` : undefined}
          onValueChange={(value) => {
            setRefused(refused.filter((blank) => blank !== field.blank));
            fill({ ...values, [field.blank]: value });
          }}
          onBlur={({ target }) => {
            const isRefused = target.value !== "" && readField(field, target.value) === null;
            if (isRefused) setRefused([...refused, field.blank]);
          }}
        />
      ))}
      {preset.account ? (
        <TextField
          label="E-mail of the account"
          type="email"
          autoComplete="off"
          required
          value={login.email}
          onValueChange={(email) => authorize({ email })}
        />
      ) : null}
      {takesToken(preset) ? (
        <TokenField
          errors={errors}
          draft={{ ...draft, token: login.token }}
          hint={`${preset.hint}. Stored encrypted, never shown again`}
          set={({ token = "" }) => authorize({ token })}
        />
      ) : null}
    </>
  );
}

function UrlField({ draft, errors, set, hint }: HttpFieldsProps & { hint?: string }) {
  return (
    <TextField
      label="URL of the service"
      hint={hint}
      type={draft.isNew ? "url" : "text"}
      required
      maxLength={2048}
      value={draft.url}
      error={errors["url"]}
      onValueChange={(url) => set({ url })}
    />
  );
}

function TokenField({ draft, errors, set, hint }: HttpFieldsProps & { hint: string }) {
  return (
    <TextField
      label="Token"
      hint={hint}
      autoComplete="off"
      value={draft.token}
      error={errors["token"]}
      onValueChange={(token) => set({ token })}
    />
  );
}

function HeadersField({ draft, errors, set }: HttpFieldsProps) {
  const kept = draft.isNew ? "" : ". Kept as they are unless you enter the URL again";
  return (
    <TextArea
      label="Headers"
      hint={`One on each line, like Authorization: Bearer {{token}}. Stored encrypted${kept}`}
      rows={3}
      value={draft.headers}
      error={errors["headers"]}
      onValueChange={(headers) => set({ headers })}
    />
  );
}

function TemplateFields({ draft, errors, set }: HttpFieldsProps) {
  const { base, body, updateBody } = draft.request;
  return (
    <>
      <TextArea
        label="JSON for a new event"
        hint="Placeholders such as {{review.text}} are filled in; the preview shows them"
        rows={8}
        spellCheck={false}
        value={body}
        error={errors["request"]}
        onValueChange={(text) => set({ request: { ...draft.request, body: text } })}
      />
      {base.update ? (
        <TextArea
          label="JSON for a later edit"
          hint={`Sent to ${base.update.path || "the same URL"}, with the id that the service returned as {{id}}`}
          rows={5}
          spellCheck={false}
          value={updateBody}
          onValueChange={(text) => set({ request: { ...draft.request, updateBody: text } })}
        />
      ) : null}
    </>
  );
}
