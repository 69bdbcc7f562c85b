// Keeps the filters of the page as a view of the workspace, or removes the view that is shown.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { useToast } from "../../components/toast.tsx";
import { type FeedFilters, viewQuery } from "./filters.ts";
import { ViewFeed } from "./view-feed.tsx";

const viewsRoute = "GET /workspaces/:workspace/views" as const;

export function SaveView({ filters }: { filters: FeedFilters }) {
  const [isOpen, setOpen] = useState(false);
  const views = useApiQuery(viewsRoute, {}).data?.views ?? [];
  const query = viewQuery(filters);
  const shown = views.find((view) => view.query === query);
  if (shown) {
    return (
      <>
        <ViewFeed view={shown} />
        <ActionButton
          small
          route="DELETE /workspaces/:workspace/views/:view"
          input={{ path: { view: shown.id } }}
          affected={[viewsRoute]}
          successMessage={() => `The view ${shown.name} is removed`}
        >
          Remove this view
        </ActionButton>
      </>
    );
  }
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        Save this view
      </Button>
      {isOpen ? <SaveViewDialog query={query} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function SaveViewDialog({ query, onClose }: { query: string; onClose: () => void }) {
  const [name, setName] = useState("");
  const save = useApiMutation("POST /workspaces/:workspace/views", [viewsRoute]);
  const showToast = useToast();
  const onSubmit = () =>
    save.mutate(
      { body: { name, query } },
      {
        onSuccess: () => {
          showToast("Saved. The view is in the navigation.");
          onClose();
        },
      },
    );
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <Form
        submitLabel="Save the view"
        state={save}
        fieldNames={["name"]}
        cancel={{ label: "Cancel", onCancel: onClose }}
        onSubmit={onSubmit}
      >
        <TextField
          label="Name"
          hint="Everybody in the workspace sees it in the navigation."
          required
          maxLength={60}
          value={name}
          error={fieldErrors(save.error)["name"]}
          onValueChange={setName}
        />
      </Form>
    </Dialog>
  );
}
