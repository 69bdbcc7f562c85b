// The fields of an HTTP channel: a service or a request of one's own, its URL, headers and token, and the template.
import { useApiQuery } from "../../api/workspace.ts";
import { Select, TextArea, TextField } from "../../components/field.tsx";
import { type ChannelDraft, toRequestDraft } from "./channel-draft.ts";

type HttpFieldsProps = {
  draft: ChannelDraft;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<ChannelDraft>) => void;
};

export function HttpFields({ draft, errors, set }: HttpFieldsProps) {
  const presets = useApiQuery("GET /choices", {}).data?.presets ?? [];
  const { base } = draft.request;
  const chosen = presets.find(({ request }) => request.body === base.body);
  const choose = (id: string) => {
    const preset = presets.find((one) => one.id === id);
    if (!preset) return;
    set({ url: preset.url, headers: preset.headers, request: toRequestDraft(preset.request) });
  };
  const options = [
    { value: "", label: "A request of your own" },
    ...presets.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const kept = draft.isNew ? "" : ". Kept as they are unless you enter the URL again";
  return (
    <>
      {draft.isNew ? (
        <Select
          label="Service"
          options={options}
          value={chosen?.id ?? ""}
          hint={chosen?.hint}
          onValueChange={choose}
        />
      ) : null}
      <TextField
        label="URL of the service"
        hint={chosen ? "Replace the parts in capitals" : undefined}
        type={draft.isNew ? "url" : "text"}
        required
        maxLength={2048}
        value={draft.url}
        error={errors["url"]}
        onValueChange={(url) => set({ url })}
      />
      <TextArea
        label="Headers"
        hint={`One on each line, like Authorization: Bearer {{token}}. Stored encrypted${kept}`}
        rows={3}
        value={draft.headers}
        error={errors["headers"]}
        onValueChange={(headers) => set({ headers })}
      />
      <TextField
        label="Token"
        hint="Put where {{token}} is. Stored encrypted, never shown again"
        autoComplete="off"
        value={draft.token}
        error={errors["token"]}
        onValueChange={(token) => set({ token })}
      />
      <TemplateFields draft={draft} errors={errors} set={set} />
    </>
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
