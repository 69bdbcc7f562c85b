// The page of one followed app: its collecting state, its storefronts and languages, translation, removal.

import { useState } from "react";
import { useLocation, useParams } from "wouter";
import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { ButtonLink } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import layout from "../../components/layout.module.css";
import { Link } from "../../components/link.tsx";
import { QueryPage } from "../../components/query-view.tsx";
import { useToast } from "../../components/toast.tsx";
import { ViewerNote } from "../../components/viewer-note.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { hasStorefronts, isReadByLanguage, readingUnit, storeName } from "../../format/stores.ts";
import { reviewsPath } from "../reviews/filters.ts";
import { CollectingCard } from "./collecting-card.tsx";
import { HeldReviews } from "./held-reviews.tsx";
import { ImportCard } from "./import-card.tsx";
import { RegionPicker } from "./region-picker.tsx";
import { StoreFactsCard } from "./store-facts-card.tsx";
import { HeldAppDetails } from "./store-incidents.tsx";

const refetchEveryMs = 3_000;

export function AppPage() {
  const { isViewer } = useWorkspace();
  const { app: id = "" } = useParams<{ app: string }>();
  const query = useApiQuery(
    "GET /workspaces/:workspace/apps/:app",
    { path: { app: id } },
    { refetchEveryMs },
  );
  if (!query.data) {
    return <QueryPage query={query} title="App" height={480} loadingLabel="Loading the app" />;
  }
  const { app, feeds, held } = query.data;
  return (
    <Page
      title={app.name}
      lead={
        <>
          <a href={app.storeUrl} target="_blank" rel="noreferrer">
            {storeName(app.store)} {app.externalAppId}
          </a>{" "}
          · <Link href="/sources">all sources</Link>
        </>
      }
      tools={
        <>
          <ButtonLink to={`/overview?app=${app.id}`}>Overview</ButtonLink>
          <ButtonLink to={reviewsPath({ app: app.id })}>Reviews</ButtonLink>
        </>
      }
    >
      <HeldAppDetails appId={app.id} />
      <HeldReviews app={app} held={held} />
      <CollectingCard app={app} feeds={feeds} />
      {app.facts ? <StoreFactsCard facts={app.facts} /> : null}
      {isViewer ? null : <EditAppCard key={app.id} app={app} />}
      {isViewer ? null : <TranslationCard app={app} />}
      {isViewer ? null : <ImportCard key={`import ${app.id}`} app={app} />}
      <ViewerNote>Only members change how an app is collected.</ViewerNote>
      <RemoveAppCard app={app} />
    </Page>
  );
}

function EditAppCard({ app }: { app: FollowedApp }) {
  const [opened, setOpened] = useState(app);
  const [name, setName] = useState(app.name);
  const [countries, setCountries] = useState(app.countries);
  const [languages, setLanguages] = useState(app.languages);
  const showToast = useToast();
  const change = useApiMutation("PATCH /workspaces/:workspace/apps/:app", [
    "GET /workspaces/:workspace/apps",
    "GET /workspaces/:workspace/app-names",
    "GET /workspaces/:workspace/apps/:app",
  ]);
  const errors = fieldErrors(change.error);
  const unit = readingUnit(app.store);
  const body = {
    version: opened.version,
    ...(name !== opened.name && { name: name.trim() || null }),
    ...(isOther(countries, opened.countries) && { countries }),
    ...(isOther(languages, opened.languages) && { languages }),
  };
  const save = () =>
    change.mutate(
      { path: { app: app.id }, body },
      {
        onSuccess: ({ app, warning }) => {
          setOpened(app);
          showToast(warning ?? "Saved");
        },
      },
    );
  return (
    <Card
      title={editTitle(app.store)}
      {...(hasStorefronts(app.store) && { hint: `New ${unit} start with a full import` })}
    >
      <Form
        submitLabel="Save"
        state={change}
        fieldNames={["name", "countries", "languages"]}
        onSubmit={save}
      >
        <TextField
          label="Name"
          maxLength={200}
          value={name}
          error={errors["name"]}
          onValueChange={setName}
        />
        {hasStorefronts(app.store) ? (
          <RegionPicker
            kind="countries"
            selected={countries}
            onChange={setCountries}
            error={errors["countries"]}
          />
        ) : null}
        {isReadByLanguage(app.store) ? (
          <RegionPicker
            kind="languages"
            selected={languages}
            onChange={setLanguages}
            error={errors["languages"]}
          />
        ) : null}
      </Form>
    </Card>
  );
}

function editTitle(store: FollowedApp["store"]): string {
  if (!hasStorefronts(store)) return "Name";
  return isReadByLanguage(store) ? "Name, storefronts and languages" : "Name and storefronts";
}

function isOther(codes: readonly string[], opened: readonly string[]): boolean {
  return codes.join() !== opened.join();
}

function TranslationCard({ app }: { app: FollowedApp }) {
  const choices = useApiQuery("GET /choices", {});
  const canTranslate = choices.data?.canTranslate ?? false;
  return (
    <Card
      title="Translation"
      hint="Translates every review that is not in English, with the operator's translation provider"
      tools={
        <ActionButton
          route="POST /workspaces/:workspace/apps/:app/translate"
          input={{ path: { app: app.id }, body: { review: null } }}
          isDisabled={!canTranslate}
          successMessage={({ queued }) =>
            `${formatQuantity(queued, "review")} queued for translation`
          }
        >
          Translate now
        </ActionButton>
      }
    >
      <p className={layout.facts}>
        {canTranslate || choices.isPending
          ? "The Reviews page shows translations beside the original."
          : "Off: no translation provider is set. Ask your operator to set TRANSLATE_PROVIDER."}
      </p>
    </Card>
  );
}

function RemoveAppCard({ app }: { app: FollowedApp }) {
  const { isOwner } = useWorkspace();
  const [, navigate] = useLocation();
  const showToast = useToast();
  const remove = useApiMutation("DELETE /workspaces/:workspace/apps/:app", [
    "GET /workspaces/:workspace/apps",
    "GET /workspaces/:workspace/app-names",
  ]);
  if (!isOwner) return null;
  const confirm = async () => {
    await remove.mutateAsync({ path: { app: app.id } });
    showToast(`${app.name} was removed`);
    navigate("/sources");
  };
  return (
    <Card
      title="Remove this app"
      hint="Its reviews are deleted too, unless another workspace follows the same app"
      tools={
        <ConfirmButton
          label="Remove"
          title={`Remove ${app.name}?`}
          confirmLabel="Remove the app"
          onConfirm={confirm}
        >
          Collecting stops, channels get no more of its events, and its reviews and ratings are
          deleted here. This can't be undone.
        </ConfirmButton>
      }
    >
      {null}
    </Card>
  );
}
