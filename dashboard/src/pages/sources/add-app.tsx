// Adds an app in two steps: find it by link, name or id, then say which storefronts and languages to follow.
import { useState } from "react";
import { useLocation } from "wouter";
import type {
  FoundApp,
  NewApp as NewAppBody,
} from "../../../../src/dashboard-api/contract/apps.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useAnswer, useChange, usePlace } from "../../api/workspace.ts";
import { AppIcon } from "../../components/app-icon.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/feedback.tsx";
import { Select, Switch, TextField } from "../../components/field.tsx";
import { useToast } from "../../components/toast.tsx";
import { storeName } from "../../format/names.ts";
import { FindApp } from "./find-app.tsx";
import { RegionPicker } from "./region-picker.tsx";
import styles from "./sources.module.css";

export function AddApp({ onClose }: { onClose: () => void }) {
  const [found, setFound] = useState<FoundApp | null>(null);
  return (
    <Dialog title="Add an app" onClose={onClose}>
      {found ? (
        <NewApp found={found} onBack={() => setFound(null)} />
      ) : (
        <FindApp onFound={setFound} />
      )}
    </Dialog>
  );
}

type Chosen = Pick<NewAppBody, "countries" | "languages" | "isCollected" | "credentialId"> & {
  name: string;
};

function NewApp({ found, onBack }: { found: FoundApp; onBack: () => void }) {
  const [chosen, setChosen] = useState<Chosen>({ ...nothingChosen, name: found.name });
  const [, navigate] = useLocation();
  const say = useToast();
  const add = useChange("POST /workspaces/:workspace/apps", ["GET /workspaces/:workspace/apps"]);
  const { store, externalAppId, foundIn } = found;
  const body = { store, externalAppId, foundIn, ...chosen, name: chosen.name.trim() || null };
  const send = () =>
    add.mutate(
      { body },
      {
        onSuccess: ({ app, warning }) => {
          say(warning ?? `${app.name} is followed now`);
          navigate("/sources", { replace: true });
        },
      },
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className={styles.foundRow}>
        <AppIcon name={found.name} url={found.iconPath} size={40} />
        <div>
          <strong>{found.name}</strong>
          <div className={styles.facts}>{storeName(store)}</div>
        </div>
      </div>
      <Choices
        store={store}
        chosen={chosen}
        errors={fieldErrors(add.error)}
        set={(change) => setChosen({ ...chosen, ...change })}
      />
      {add.isError ? <ErrorNote error={add.error} /> : null}
      <DialogFoot>
        <Button onClick={onBack}>Back</Button>
        <Button kind="primary" type="submit" busy={add.isPending}>
          Add this app
        </Button>
      </DialogFoot>
    </form>
  );
}

const nothingChosen: Omit<Chosen, "name"> = {
  countries: null,
  languages: null,
  isCollected: true,
  credentialId: null,
};

type ChoicesProps = {
  store: FoundApp["store"];
  chosen: Chosen;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<Chosen>) => void;
};

function Choices({ store, chosen, errors, set }: ChoicesProps) {
  return (
    <>
      <TextField
        label="Name"
        maxLength={200}
        value={chosen.name}
        error={errors["name"]}
        onText={(name) => set({ name })}
      />
      <RegionPicker
        kind="countries"
        chosen={chosen.countries}
        onChange={(countries) => set({ countries })}
        error={errors["countries"]}
      />
      {store === "googleplay" ? (
        <RegionPicker
          kind="languages"
          chosen={chosen.languages}
          onChange={(languages) => set({ languages })}
          error={errors["languages"]}
        />
      ) : null}
      <CredentialChoice
        store={store}
        chosen={chosen.credentialId}
        onChange={(credentialId) => set({ credentialId })}
      />
      <Switch
        label="Collect from the store"
        hint="Switched off, only what you import is kept."
        on={chosen.isCollected}
        onChange={(isCollected) => set({ isCollected })}
      />
    </>
  );
}

type CredentialChoiceProps = {
  store: string;
  chosen: string | null;
  onChange: (credentialId: string | null) => void;
};

/** Shown where there is something to choose: an owner's workspace with an account at this store. */
function CredentialChoice({ store, chosen, onChange }: CredentialChoiceProps) {
  const { isOwner } = usePlace();
  const answer = useAnswer("GET /workspaces/:workspace/credentials", {}, { isOff: !isOwner });
  const fitting = (answer.data?.credentials ?? []).filter((known) => known.store === store);
  if (fitting.length === 0) return null;
  return (
    <Select
      label="Read through"
      hint="Your own account at the store sees every review; the public pages see a part."
      value={chosen ?? ""}
      options={[
        { value: "", label: "The store's public pages" },
        ...fitting.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onText={(id) => onChange(id || null)}
    />
  );
}
