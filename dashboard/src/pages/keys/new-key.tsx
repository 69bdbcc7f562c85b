// Makes a key and shows it once, together with a line that tries it.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiUrl, useChange } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFoot } from "../../components/dialog.tsx";
import { ErrorNote, Note } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";

export function NewKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const create = useChange("POST /workspaces/:workspace/keys", ["GET /workspaces/:workspace/keys"]);
  if (create.data) return <Made apiKey={create.data.key} onClose={onClose} />;
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { name: name.trim() } });
        }}
      >
        <TextField
          label="Name"
          hint="What reads the API with it, for example “Weekly report”"
          required
          maxLength={200}
          value={name}
          error={fieldErrors(create.error)["name"]}
          onText={setName}
        />
        {create.isError ? <ErrorNote error={create.error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Create
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function Made({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  const apiUrl = useApiUrl();
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <Note kind="warn">Copy it now: it is not shown again.</Note>
      <CodeLine code={apiKey} label="Key" />
      <div>
        <p>Try it:</p>
        <CodeLine
          code={`curl -H "Authorization: Bearer ${apiKey}" '${apiUrl}/apps'`}
          label="curl line"
        />
      </div>
      <DialogFoot>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
