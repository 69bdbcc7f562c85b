// Finds an app in the stores by a link to its page, its name or its ID.

import { useState } from "react";
import type { FoundApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { AppIcon } from "../../components/app-icon.tsx";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { Alert, Skeleton } from "../../components/feedback.tsx";
import { Select, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import layout from "../../components/layout.module.css";
import { RadioGroup } from "../../components/option-group.tsx";
import { countryName } from "../../format/names.ts";
import { type StoreId, storeIds, storeName } from "../../format/stores.ts";
import styles from "./apps.module.css";

const stores = [
  { value: "" as const, label: "All stores" },
  ...storeIds.map((value) => ({ value, label: storeName(value) })),
];

/** The same product in the other store, if the search found it and the workspace does not follow it yet. */
export type Found = { app: FoundApp; twin: FoundApp | null };

export function FindApp({ onFound }: { onFound: (found: Found) => void }) {
  const [text, setText] = useState("");
  const [store, setStore] = useState<StoreId | "">("");
  const [country, setCountry] = useState("us");
  const choices = useApiQuery("GET /choices", {});
  const find = useApiMutation("POST /workspaces/:workspace/apps/find");
  const storefronts = (choices.data?.storefronts ?? ["us"])
    .map((code) => ({ value: code, label: countryName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <>
      <Form
        submitLabel="Find"
        state={find}
        status={find.isPending ? <span role="status">Searching the stores …</span> : null}
        onSubmit={() => find.mutate({ body: { text: text.trim(), store: store || null, country } })}
      >
        <TextField
          label="Link, name or ID"
          placeholder="https://apps.apple.com/us/app/…"
          required
          maxLength={500}
          value={text}
          onValueChange={setText}
        />
        <RadioGroup legend="Store" options={stores} selected={store} onSelect={setStore} />
        <Select
          label="Search in"
          value={country}
          options={storefronts}
          onValueChange={setCountry}
        />
      </Form>
      {find.isPending ? <Skeleton height={120} /> : null}
      {find.data?.note ? <Alert kind="warn">{find.data.note}</Alert> : null}
      {find.data && !find.isPending ? <FoundList apps={find.data.apps} onFound={onFound} /> : null}
    </>
  );
}

type FoundListProps = { apps: readonly FoundApp[]; onFound: (found: Found) => void };

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
            <div className={layout.facts}>
              <span>{storeName(app.store)}</span>
              {app.developer ? <span>{app.developer}</span> : null}
              {app.rating ? <span>{`${app.rating.toFixed(1)} ★`}</span> : null}
              <a href={app.storeUrl} target="_blank" rel="noreferrer">
                {app.externalAppId}
              </a>
            </div>
          </div>
          {app.appId ? (
            <Chip tone="good">Followed</Chip>
          ) : (
            <Button
              small
              aria-label={`Follow ${app.name}, ${storeName(app.store)}`}
              onClick={() => onFound({ app, twin: findTwin(apps, app) })}
            >
              Follow
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function findTwin(apps: readonly FoundApp[], { store, name }: FoundApp): FoundApp | null {
  const plain = (text: string) => text.trim().toLowerCase();
  const twin = apps.find(
    (one) => one.store !== store && one.appId === null && plain(one.name) === plain(name),
  );
  return twin ?? null;
}
