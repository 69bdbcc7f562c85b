// Templates of answers to reviews.
import { useState } from "react";
import type { Template } from "../../../../src/features/replies/contract.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { Switch, TextArea, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { templatesRoute } from "../reviews/reply-routes.ts";
import styles from "./settings.module.css";

export function ReplyTemplatesCard() {
  const { isViewer } = useWorkspace();
  const [edited, setEdited] = useState<Template | "new" | null>(null);
  const query = useApiQuery(templatesRoute, {});
  const tools: TableColumn<Template> = {
    header: "Change",
    hideHeader: true,
    alignEnd: true,
    cell: (template) => (
      <div className={styles.copyable}>
        <Button onClick={() => setEdited(template)} aria-label={`Edit ${template.name}`}>
          Edit
        </Button>
        <RemoveTemplate template={template} />
      </div>
    ),
  };
  return (
    <Card
      title="Templates of answers"
      hint="Inserted when you answer a review. {author}, {app} and {version} are filled in."
      tools={isViewer ? null : <Button onClick={() => setEdited("new")}>Add a template</Button>}
    >
      <QueryView query={query} height={80} loadingLabel="Loading the templates">
        {({ templates }) =>
          templates.length === 0 ? (
            <p className={styles.soft}>None yet.</p>
          ) : (
            <Table
              caption="Templates of answers"
              rows={templates}
              rowKey={({ id }) => id}
              columns={isViewer ? columns : [...columns, tools]}
              stacked
            />
          )
        }
      </QueryView>
      {edited ? (
        <TemplateDialog
          template={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
        />
      ) : null}
    </Card>
  );
}

const columns: TableColumn<Template>[] = [
  {
    header: "Template",
    cell: ({ name, text }) => (
      <div>
        {name}
        <div className={styles.soft}>{text}</div>
      </div>
    ),
  },
  { header: "Use", cell: ({ isTone }) => (isTone ? "Tone of drafts" : "Text") },
];

function RemoveTemplate({ template: { id, name } }: { template: Template }) {
  const remove = useApiMutation("DELETE /workspaces/:workspace/reply-templates/:template", [
    templatesRoute,
  ]);
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${name}?`}
      confirmLabel="Delete the template"
      onConfirm={() => remove.mutateAsync({ path: { template: id } })}
    >
      Answers that were sent stay as they are.
    </ConfirmButton>
  );
}

type TemplateDialogProps = { template: Template | null; onClose: () => void };

function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const [name, setName] = useState(template?.name ?? "");
  const [text, setText] = useState(template?.text ?? "");
  const [isTone, setTone] = useState(template?.isTone ?? false);
  const create = useApiMutation("POST /workspaces/:workspace/reply-templates", [templatesRoute]);
  const change = useApiMutation("PATCH /workspaces/:workspace/reply-templates/:template", [
    templatesRoute,
  ]);
  const state = template ? change : create;
  const errors = fieldErrors(state.error);
  const fields = { name, text, isTone };
  const save = () =>
    template
      ? change.mutate(
          { path: { template: template.id }, body: { ...fields, version: template.version } },
          { onSuccess: onClose },
        )
      : create.mutate({ body: fields }, { onSuccess: onClose });
  return (
    <FormDialog
      title={template ? `Edit ${template.name}` : "Add a template"}
      submitLabel={template ? "Save" : "Add the template"}
      state={state}
      fieldNames={["name", "text"]}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField
        label="Name"
        required
        maxLength={60}
        value={name}
        error={errors["name"]}
        onValueChange={setName}
      />
      <TextArea
        label="Text"
        hint="{author}, {app} and {version} are filled in. What is not known is asked."
        required
        rows={5}
        value={text}
        error={errors["text"]}
        onValueChange={setText}
      />
      <Switch
        label="Tone of drafts"
        hint="It tells a language model how answers sound, and is not offered as a text."
        on={isTone}
        onChange={setTone}
      />
    </FormDialog>
  );
}
