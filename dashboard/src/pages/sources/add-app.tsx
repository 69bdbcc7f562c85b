// Adds an app in two steps: find it by link, name or ID, then choose its storefronts and languages.
import { useState } from "react";
import { useLocation } from "wouter";
import type {
  FoundApp,
  NewApp as NewAppBody,
} from "../../../../src/dashboard-api/contract/apps.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { AppIcon } from "../../components/app-icon.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Select, Switch, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { useToast } from "../../components/toast.tsx";
import { storeName } from "../../format/names.ts";
import { FindApp } from "./find-app.tsx";
import { RegionPicker } from "./region-picker.tsx";
import styles from "./sources.module.css";

export function AddAppDialog({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<FoundApp | null>(null);
  return (
    <Dialog title="Add an app" onClose={onClose}>
      {found ? (
        <NewAppForm found={found} onBack={() => setFound(null)} />
      ) : (
        <FindApp onFound={setFound} />
      )}
    </Dialog>
  );
}

type AppDraft = Pick<NewAppBody, "countries" | "languages" | "isCollected" | "credentialId"> & {
  name: string;
};

// null: the defaults of the service.
const defaultDraft = {
  countries: null,
  languages: null,
  isCollected: true,
  credentialId: null,
};

function NewAppForm({ found, onBack }: { found: FoundApp; onBack: () => void }) {
  const [draft, setDraft] = useState<AppDraft>({ ...defaultDraft, name: found.name });
  const [, navigate] = useLocation();
  const showToast = useToast();
  const add = useApiMutation("POST /workspaces/:workspace/apps", [
    "GET /workspaces/:workspace/apps",
  ]);
  const { store, externalAppId, foundIn } = found;
  const save = () =>
    add.mutate(
      { body: { store, externalAppId, foundIn, ...draft, name: draft.name.trim() || null } },
      {
        onSuccess: ({ app, warning }) => {
          showToast(warning ?? `${app.name} is now followed`);
          navigate("/sources", { replace: true });
        },
      },
    );
  return (
    <Form
      submitLabel="Add this app"
      state={add}
      cancel={{ label: "Back", onCancel: onBack }}
      onSubmit={save}
    >
      <div className={styles.foundRow}>
        <AppIcon name={found.name} url={found.iconPath} size={40} />
        <div>
          <strong>{found.name}</strong>
          <div className={styles.facts}>{storeName(store)}</div>
        </div>
      </div>
      <AppFields
        store={store}
        draft={draft}
        errors={fieldErrors(add.error)}
        set={(change) => setDraft({ ...draft, ...change })}
      />
    </Form>
  );
}

type AppFieldsProps = {
  store: FoundApp["store"];
  draft: AppDraft;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<AppDraft>) => void;
};

function AppFields({ store, draft, errors, set }: AppFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        maxLength={200}
        value={draft.name}
        error={errors["name"]}
        onValueChange={(name) => set({ name })}
      />
      <RegionPicker
        kind="countries"
        selected={draft.countries}
        onChange={(countries) => set({ countries })}
        error={errors["countries"]}
      />
      {store === "googleplay" ? (
        <RegionPicker
          kind="languages"
          selected={draft.languages}
          onChange={(languages) => set({ languages })}
          error={errors["languages"]}
        />
      ) : null}
      <CredentialSelect
        store={store}
        selected={draft.credentialId}
        onChange={(credentialId) => set({ credentialId })}
      />
      <Switch
        label="Collect from the store"
        hint="If off, only imported reviews are stored."
        on={draft.isCollected}
        onChange={(isCollected) => set({ isCollected })}
      />
    </>
  );
}

type CredentialSelectProps = {
  store: string;
  selected: string | null;
  onChange: (credentialId: string | null) => void;
};

/** For owners of a workspace with an account at this store; others have nothing to choose. */
function CredentialSelect({ store, selected, onChange }: CredentialSelectProps) {
  const { isOwner } = useWorkspace();
  const query = useApiQuery("GET /workspaces/:workspace/credentials", {}, { isDisabled: !isOwner });
  const credentials = (query.data?.credentials ?? []).filter((one) => one.store === store);
  if (credentials.length === 0) return null;
  return (
    <Select
      label="Read through"
      hint="Your own store account sees every review; the public pages show only a part."
      value={selected ?? ""}
      options={[
        { value: "", label: "The store's public pages" },
        ...credentials.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onValueChange={(id) => onChange(id || null)}
    />
  );
}
