// One followed app: how collecting goes for every storefront and language, what to follow, and its end.
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { describeError, fieldErrors } from "../../api/http-request.ts";
import { useAnswer, useChange, usePlace } from "../../api/workspace.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { useToast } from "../../components/toast.tsx";
import { storeName } from "../../format/names.ts";
import { formatNumberOf } from "../../format/numbers.ts";
import { reviewsAddress } from "../reviews/filters.ts";
import { CollectingCard } from "./collecting-card.tsx";
import { RegionPicker } from "./region-picker.tsx";
import styles from "./sources.module.css";

const watchEveryMs = 3_000;

export function AppPage() {
  const { app: id = "" } = useParams<{ app: string }>();
  const answer = useAnswer(
    "GET /workspaces/:workspace/apps/:app",
    { path: { app: id } },
    { everyMs: watchEveryMs },
  );
  if (answer.isError && !answer.data) {
    return (
      <Page title="App">
        <ErrorNote error={answer.error} />
      </Page>
    );
  }
  if (!answer.data) {
    return (
      <Page title="App">
        <Skeleton height={480} label="Loading the app" />
      </Page>
    );
  }
  const { app, feeds } = answer.data;
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
          <ButtonLink to={reviewsAddress({ app: app.id })}>Reviews</ButtonLink>
        </>
      }
    >
      <CollectingCard app={app} feeds={feeds} />
      <EditApp key={app.id} app={app} />
      <Translation app={app} />
      <RemoveApp app={app} />
    </Page>
  );
}

function EditApp({ app }: { app: FollowedApp }) {
  const [name, setName] = useState(app.name);
  const [countries, setCountries] = useState(app.countries);
  const [languages, setLanguages] = useState(app.languages);
  const say = useToast();
  const change = useChange("PATCH /workspaces/:workspace/apps/:app", [
    "GET /workspaces/:workspace/apps",
    "GET /workspaces/:workspace/apps/:app",
  ]);
  const errors = fieldErrors(change.error);
  const isPlay = app.store === "googleplay";
  const body = { name: name.trim() || null, countries, ...(isPlay ? { languages } : {}) };
  const save = () =>
    change.mutate(
      { path: { app: app.id }, body },
      { onSuccess: ({ warning }) => say(warning ?? "Saved") },
    );
  return (
    <Card title="What is followed" hint="New storefronts and languages are read from the beginning">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          label="Name"
          maxLength={200}
          value={name}
          error={errors["name"]}
          onText={setName}
        />
        <RegionPicker
          kind="countries"
          chosen={countries}
          onChange={setCountries}
          error={errors["countries"]}
        />
        {isPlay ? (
          <RegionPicker
            kind="languages"
            chosen={languages}
            onChange={setLanguages}
            error={errors["languages"]}
          />
        ) : null}
        {change.isError ? <ErrorNote error={change.error} /> : null}
        <div className={styles.actions}>
          <Button kind="primary" type="submit" busy={change.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Translation({ app }: { app: FollowedApp }) {
  const say = useToast();
  const translate = useChange("POST /workspaces/:workspace/apps/:app/translate");
  const start = () =>
    translate.mutate(
      { path: { app: app.id } },
      {
        onSuccess: ({ queued }) => say(`${formatNumberOf(queued, "review")} wait for translation`),
        onError: (error) => say(describeError(error)),
      },
    );
  return (
    <Card
      title="Translation of the feed"
      hint="Asks the operator's translation provider for every review that is not English yet"
      tools={
        <Button busy={translate.isPending} onClick={start}>
          Translate now
        </Button>
      }
    >
      <p className={styles.facts}>Translations stand beside the original on the Reviews page.</p>
    </Card>
  );
}

function RemoveApp({ app }: { app: FollowedApp }) {
  const { isOwner } = usePlace();
  const [, navigate] = useLocation();
  const say = useToast();
  const remove = useChange("DELETE /workspaces/:workspace/apps/:app", [
    "GET /workspaces/:workspace/apps",
  ]);
  if (!isOwner) return null;
  const confirm = async () => {
    await remove.mutateAsync({ path: { app: app.id } });
    say(`${app.name} is not followed any more`);
    navigate("/sources");
  };
  return (
    <Card
      title="Remove this app"
      hint="Its reviews go with it, unless another workspace follows the same app"
      tools={
        <ConfirmButton
          label="Remove"
          title={`Remove ${app.name}?`}
          confirmLabel="Remove the app"
          onConfirm={confirm}
        >
          Collecting stops, channels hear no more of it, and its reviews and ratings are deleted
          here. This can't be undone.
        </ConfirmButton>
      }
    >
      {null}
    </Card>
  );
}
