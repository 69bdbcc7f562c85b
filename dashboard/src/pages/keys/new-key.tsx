// Creates an API key and shows it once, together with a command to try it.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, usePublicApiUrl } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFooter } from "../../components/dialog.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Select, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("");
  const create = useApiMutation("POST /workspaces/:workspace/keys", [
    "GET /workspaces/:workspace/keys",
  ]);
  if (create.data) return <KeyCreatedDialog apiKey={create.data.key} onClose={onClose} />;
  return (
    <FormDialog
      title="Create an API key"
      submitLabel="Create"
      state={create}
      fieldNames={["name"]}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({ body: { name: name.trim(), days: days === "" ? null : Number(days) } })
      }
    >
      <TextField
        label="Name"
        hint="What reads the API with it, for example “Weekly report”"
        required
        maxLength={200}
        value={name}
        error={fieldErrors(create.error)["name"]}
        onValueChange={setName}
      />
      <Select
        label="Ends"
        value={days}
        error={fieldErrors(create.error)["days"]}
        onValueChange={setDays}
        options={[
          { value: "", label: "Never" },
          { value: "30", label: "After 30 days" },
          { value: "90", label: "After 90 days" },
          { value: "365", label: "After a year" },
        ]}
      />
    </FormDialog>
  );
}

function KeyCreatedDialog({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  const apiUrl = usePublicApiUrl();
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <Alert kind="warn">Copy it now: it is not shown again.</Alert>
      <CodeLine code={apiKey} label="Key" />
      <div>
        <p>Try it:</p>
        <CodeLine
          code={`curl -H "Authorization: Bearer ${apiKey}" '${apiUrl}/apps'`}
          label="cURL command"
        />
      </div>
      <DialogFooter>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
