// Finds an app in the stores by a link to its page, by its name or by its id.
import { useState } from "react";
import type { FoundApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { useAnswer, useChange } from "../../api/workspace.ts";
import { AppIcon } from "../../components/app-icon.tsx";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { ErrorNote, Note, Skeleton } from "../../components/feedback.tsx";
import { Select, TextField } from "../../components/field.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import { countryName, storeName } from "../../format/names.ts";
import styles from "./sources.module.css";

const storeChoices = [
  { value: "", label: "Both stores" },
  { value: "appstore", label: "App Store" },
  { value: "googleplay", label: "Google Play" },
] as const;

export function FindApp({ onFound }: { onFound: (app: FoundApp) => void }) {
  const [text, setText] = useState("");
  const [store, setStore] = useState<(typeof storeChoices)[number]["value"]>("");
  const [country, setCountry] = useState("us");
  const choices = useAnswer("GET /choices", {});
  const find = useChange("POST /workspaces/:workspace/apps/find");
  const storefronts = (choices.data?.storefronts ?? ["us"])
    .map((code) => ({ value: code, label: countryName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          find.mutate({ body: { text: text.trim(), store: store || null, country } });
        }}
      >
        <TextField
          label="Link, name or id"
          hint="For example a link to the app's page in its store"
          required
          maxLength={500}
          value={text}
          onText={setText}
        />
        <RadioGroup legend="Store" choices={storeChoices} chosen={store} onChoose={setStore} />
        <Select label="Search in" value={country} options={storefronts} onText={setCountry} />
        <div className={styles.actions}>
          <Button kind="primary" type="submit" busy={find.isPending}>
            Find
          </Button>
          {find.isPending ? <span role="status">Asking the stores …</span> : null}
        </div>
      </form>
      {find.isPending ? <Skeleton height={120} /> : null}
      {find.isError ? <ErrorNote error={find.error} /> : null}
      {find.data?.note ? <Note kind="warn">{find.data.note}</Note> : null}
      {find.data && !find.isPending ? <FoundList apps={find.data.apps} onFound={onFound} /> : null}
    </>
  );
}

type FoundListProps = { apps: readonly FoundApp[]; onFound: (app: FoundApp) => void };

function FoundList({ apps, onFound }: FoundListProps) {
  if (apps.length === 0) {
    return (
      <p role="status">
        Nothing was found. Check the spelling, choose another storefront, or paste the link to the
        app's page.
      </p>
    );
  }
  return (
    <ul className={styles.found} aria-label="Found apps">
      {apps.map((app) => (
        <li key={`${app.store} ${app.externalAppId}`} className={styles.foundRow}>
          <AppIcon name={app.name} url={app.iconPath} size={40} />
          <div>
            <strong>{app.name}</strong>
            <div className={styles.facts}>
              <span>{storeName(app.store)}</span>
            </div>
          </div>
          {app.appId ? (
            <Chip tone="good">Followed</Chip>
          ) : (
            <Button
              small
              aria-label={`Choose ${app.name}, ${storeName(app.store)}`}
              onClick={() => onFound(app)}
            >
              Choose
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
