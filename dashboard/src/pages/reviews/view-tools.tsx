// Keeps the filters of the page as a view of the workspace, and changes, shares or removes the view that is shown.
import { useState } from "react";
import { useLocation, useRouter } from "wouter";
import type { SavedView } from "../../../../src/dashboard-api/contract/views.ts";
import { describeError, fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-button.tsx";
import { copyText } from "../../components/copy-button.tsx";
import { TextField } from "../../components/field.tsx";
import { FormDialog, type FormState } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { Menu, menuItem } from "../../components/menu.tsx";
import { useToast } from "../../components/toast.tsx";
import { ShareDialog } from "../sharing/share-dialog.tsx";
import { type FeedFilters, viewQuery } from "./filters.ts";

const viewsRoute = "GET /workspaces/:workspace/views" as const;
const saveRoute = "POST /workspaces/:workspace/views" as const;
const changeRoute = "PATCH /workspaces/:workspace/views/:view" as const;

type ViewToolsProps = { filters: FeedFilters; viewId: string | null };
type OpenDialog = "save" | "rename" | "share" | "feed" | "remove" | null;

export function ViewTools({ filters, viewId }: ViewToolsProps) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const known = useApiQuery(viewsRoute, {});
  const views = known.data?.views ?? [];
  const query = viewQuery(filters);
  const shown = views.find(({ id }) => id === viewId) ?? views.find((view) => view.query === query);
  const close = () => setDialog(null);
  return (
    <>
      {shown ? (
        <ViewMenu view={shown} query={query} onOpen={setDialog} onReload={known.refetch} />
      ) : null}
      {shown?.query === query ? null : (
        <Button small onClick={() => setDialog("save")}>
          {shown ? "Save as a new view" : "Save this view"}
        </Button>
      )}
      {dialog === "save" ? <SaveDialog query={query} onClose={close} /> : null}
      {dialog === "rename" && shown ? <RenameDialog view={shown} onClose={close} /> : null}
      {dialog === "remove" && shown ? <RemoveDialog view={shown} onClose={close} /> : null}
      {dialog === "share" && shown ? (
        <ShareDialog page={{ kind: "view", viewId: shown.id }} onClose={close} />
      ) : null}
      {dialog === "feed" && shown ? (
        <ShareDialog page={{ kind: "feed", viewId: shown.id }} onClose={close} />
      ) : null}
    </>
  );
}

type ViewMenuProps = {
  view: SavedView;
  /** The filters of the page, which may have changed since the view was opened. */
  query: string;
  onOpen: (dialog: OpenDialog) => void;
  onReload: () => Promise<{ data: { views: SavedView[] } | undefined }>;
};

function ViewMenu({ view, query, onOpen, onReload }: ViewMenuProps) {
  const path = { view: view.id };
  const showToast = useToast();
  const remove = useRemoval(view);
  const onRemove = async () => {
    // Another person may have shared it meanwhile.
    const current = (await onReload()).data?.views.find(({ id }) => id === view.id) ?? view;
    if (current.hasLinks) onOpen("remove");
    else await remove().catch((error: unknown) => showToast(describeError(error)));
  };
  const { base } = useRouter();
  const change = useApiMutation(changeRoute, [viewsRoute]);
  const update = () =>
    change.mutate(
      { path, body: { query, version: view.version } },
      {
        onSuccess: () => showToast(`${view.name} now has these filters`),
        onError: (error) => showToast(describeError(error)),
      },
    );
  const copyLink = async () => {
    const hasWorked = await copyText(`${location.origin}${base}/reviews?${view.query}`);
    showToast(hasWorked ? "Link copied" : "Your browser did not allow copying");
  };
  return (
    <>
      {view.query === query ? null : (
        <Button small busy={change.isPending} onClick={update}>
          Update this view
        </Button>
      )}
      {view.query === query ? (
        <Button small onClick={() => onOpen("share")}>
          Share
        </Button>
      ) : null}
      <Menu
        label=""
        framed
        edge="end"
        button={
          <>
            View
            <Icon name="down" size={16} />
          </>
        }
      >
        <button type="button" {...menuItem} onClick={() => onOpen("rename")}>
          Rename
        </button>
        <button type="button" {...menuItem} onClick={() => void copyLink()}>
          Copy link for members
        </button>
        <button type="button" {...menuItem} onClick={() => onOpen("feed")}>
          RSS feed
        </button>
        <button type="button" {...menuItem} onClick={() => void onRemove()}>
          Remove
        </button>
      </Menu>
    </>
  );
}

/** Removes the view. One without links can be had back as it was, so that only the end of links is asked about. */
function useRemoval(view: SavedView): () => Promise<void> {
  const showToast = useToast();
  const [, navigate] = useLocation();
  const { id, name, query, hasLinks } = view;
  const remove = useApiMutation("DELETE /workspaces/:workspace/views/:view", [viewsRoute]);
  const save = useApiMutation(saveRoute, [viewsRoute]);
  const undo = () =>
    save.mutate(
      { body: { id, name, query } },
      { onError: (error) => showToast(describeError(error)) },
    );
  return async () => {
    await remove.mutateAsync({ path: { view: id } });
    navigate(`/reviews?${query}`, { replace: true });
    showToast(`${name} is removed`, hasLinks ? undefined : undo);
  };
}

function RemoveDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const remove = useRemoval(view);
  return (
    <ConfirmDialog
      title={`Remove ${view.name}?`}
      confirmLabel="Remove the view"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>Its shared links and RSS feeds end for everybody who has them, and can't be had back.</p>
    </ConfirmDialog>
  );
}

function SaveDialog({ query, onClose }: { query: string; onClose: () => void }) {
  const save = useApiMutation(saveRoute, [viewsRoute]);
  const [, navigate] = useLocation();
  const showToast = useToast();
  const onName = (name: string) =>
    save.mutate(
      { body: { name, query } },
      {
        onSuccess: ({ views }) => {
          const saved = views.find((view) => view.name === name.trim());
          navigate(`/reviews?${query}${saved ? `&view=${saved.id}` : ""}`, { replace: true });
          showToast("Saved. The view is in the navigation.");
          onClose();
        },
      },
    );
  return (
    <NameDialog
      title="Save this view"
      submitLabel="Save the view"
      before=""
      state={save}
      onName={onName}
      onClose={onClose}
    />
  );
}

function RenameDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const rename = useApiMutation(changeRoute, [viewsRoute]);
  const [version] = useState(view.version);
  const onName = (name: string) =>
    rename.mutate({ path: { view: view.id }, body: { name, version } }, { onSuccess: onClose });
  return (
    <NameDialog
      title={`Rename ${view.name}`}
      submitLabel="Rename the view"
      before={view.name}
      state={rename}
      onName={onName}
      onClose={onClose}
    />
  );
}

type NameDialogProps = {
  title: string;
  submitLabel: string;
  before: string;
  state: FormState;
  onName: (name: string) => void;
  onClose: () => void;
};

function NameDialog({ title, submitLabel, before, state, onName, onClose }: NameDialogProps) {
  const [name, setName] = useState(before);
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      state={state}
      fieldNames={["name"]}
      onSubmit={() => onName(name)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Everybody in the workspace sees it in the navigation."
        required
        maxLength={60}
        value={name}
        error={fieldErrors(state.error)["name"]}
        onValueChange={setName}
      />
    </FormDialog>
  );
}
