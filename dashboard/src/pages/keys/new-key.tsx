// Creates an API key and shows it once, together with a command to try it.
import { useState } from "react";
import type { ApiKey } from "../../../../src/dashboard-api/contract/keys.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, usePublicApiUrl } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFooter } from "../../components/dialog.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Select, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";

const scopeHints: Record<ApiKey["scope"], string> = {
  read: "Reads apps, reviews, ratings and trends.",
  manage: "Also creates, changes and removes apps, channels, topics, views and store accounts.",
  mcp: "For assistants: reads with the tools of /mcp, and nothing else.",
};

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<ApiKey["scope"]>("read");
  const [days, setDays] = useState("");
  const create = useApiMutation("POST /workspaces/:workspace/keys", [
    "GET /workspaces/:workspace/keys",
  ]);
  if (create.data) {
    const { key, apiKey } = create.data;
    return <KeyCreatedDialog apiKey={key} canRead={apiKey.scope !== "mcp"} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Create an API key"
      submitLabel="Create"
      state={create}
      fieldNames={["name"]}
      onClose={onClose}
      onSubmit={() =>
        create.mutate({
          body: { name: name.trim(), scope, days: days === "" ? null : Number(days) },
        })
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
        label="Access"
        hint={scopeHints[scope]}
        value={scope}
        error={fieldErrors(create.error)["scope"]}
        onValueChange={(value) => setScope(value as ApiKey["scope"])}
        options={[
          { value: "read", label: "Read" },
          { value: "manage", label: "Read and manage" },
          { value: "mcp", label: "Use /mcp only" },
        ]}
      />
      <Select
        label="Expires"
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

function KeyCreatedDialog(props: { apiKey: string; canRead: boolean; onClose: () => void }) {
  const { apiKey, canRead, onClose } = props;
  const apiUrl = usePublicApiUrl();
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <Alert kind="warn">Copy it now: it is not shown again.</Alert>
      <CodeLine code={apiKey} label="Key" />
      {canRead ? (
        <div>
          <p>Try it:</p>
          <CodeLine
            code={`curl -H "Authorization: Bearer ${apiKey}" '${apiUrl}/apps'`}
            label="cURL command"
          />
        </div>
      ) : null}
      <DialogFooter>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
