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
import layout from "../../components/layout.module.css";
import { useToast } from "../../components/toast.tsx";
import { hasStorefronts, isReadByLanguage, storeName } from "../../format/stores.ts";
import styles from "./apps.module.css";
import { FindApp, type Found } from "./find-app.tsx";
import { RegionPicker } from "./region-picker.tsx";

export function AddAppDialog({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<Found | null>(null);
  return (
    <Dialog title="Add an app" onClose={onClose}>
      {found ? (
        <NewAppForm {...found} onBack={() => setFound(null)} />
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

const ownRegions = { countries: null, languages: null, credentialId: null };

function NewAppForm({ app: found, twin, onBack }: Found & { onBack: () => void }) {
  const [draft, setDraft] = useState<AppDraft>({ ...defaultDraft, name: found.name });
  const [withTwin, setWithTwin] = useState(false);
  const [, navigate] = useLocation();
  const showToast = useToast();
  const add = useApiMutation("POST /workspaces/:workspace/apps", [
    "GET /workspaces/:workspace/apps",
    "GET /workspaces/:workspace/app-names",
  ]);
  const { store } = found;
  const name = draft.name.trim() || null;
  const follow = ({ store, externalAppId, foundIn }: FoundApp, own: AppDraft) =>
    add.mutateAsync({ body: { store, externalAppId, foundIn, ...own, name } });
  const save = async () => {
    const { app, warning } = await follow(found, draft);
    // With the storefronts of its own store: countries and languages differ between the two.
    if (twin && withTwin) await follow(twin, { ...draft, ...ownRegions });
    showToast(warning ?? `${app.name} is now followed${withTwin ? " in both stores" : ""}`);
    navigate("/sources", { replace: true });
  };
  return (
    <Form
      submitLabel="Add this app"
      state={add}
      cancel={{ label: "Back", onCancel: onBack }}
      // A failure is shown by the form.
      onSubmit={() => void save().catch(() => undefined)}
    >
      <div className={styles.foundRow}>
        <AppIcon name={found.name} url={found.iconPath} size={40} />
        <div>
          <strong>{found.name}</strong>
          <div className={layout.facts}>{storeName(store)}</div>
        </div>
      </div>
      <AppFields
        store={store}
        draft={draft}
        errors={fieldErrors(add.error)}
        set={(change) => setDraft({ ...draft, ...change })}
      />
      {twin ? (
        <Switch
          label={`Follow it on ${storeName(twin.store)}, too`}
          hint={[twin.developer, twin.externalAppId].filter(Boolean).join(" · ")}
          on={withTwin}
          onChange={setWithTwin}
        />
      ) : null}
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
      {hasStorefronts(store) ? (
        <RegionPicker
          kind="countries"
          selected={draft.countries}
          onChange={(countries) => set({ countries })}
          error={errors["countries"]}
        />
      ) : null}
      {isReadByLanguage(store) ? (
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
