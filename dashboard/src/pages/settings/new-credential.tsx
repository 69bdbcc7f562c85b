// Adds an account at a store: its key file is read in the browser, sent once and never shown again.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { useChange } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/dialog.tsx";
import { ErrorNote } from "../../components/feedback.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import { useToast } from "../../components/toast.tsx";
import { credentialsRoute } from "./credentials-card.tsx";
import styles from "./settings.module.css";

const stores = [
  { value: "appstore", label: "App Store Connect" },
  { value: "googleplay", label: "Google Play Console" },
] as const;

type Fields = { name: string; keyFile: string; keyId: string; issuerId: string; bucket: string };

const noFields: Fields = { name: "", keyFile: "", keyId: "", issuerId: "", bucket: "" };

export function NewCredential({ onClose }: { onClose: () => void }) {
  const [store, setStore] = useState<(typeof stores)[number]["value"]>("appstore");
  const [fields, setFields] = useState(noFields);
  const say = useToast();
  const add = useChange("POST /workspaces/:workspace/credentials", [credentialsRoute]);
  const errors = fieldErrors(add.error);
  const set = (change: Partial<Fields>) => setFields({ ...fields, ...change });
  const isApple = store === "appstore";
  const send = () => {
    const { name, keyFile } = fields;
    const given = (text: string, isAsked: boolean) => (isAsked && text.trim()) || null;
    add.mutate(
      {
        body: {
          ...{ store, keyFile, name: name.trim() },
          keyId: given(fields.keyId, isApple),
          issuerId: given(fields.issuerId, isApple),
          bucket: given(fields.bucket, !isApple),
        },
      },
      {
        onSuccess: () => {
          say("The account was added");
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title="Add a store account" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <RadioGroup legend="Store" choices={stores} chosen={store} onChoose={setStore} />
        <TextField
          label="Name"
          required
          maxLength={200}
          value={fields.name}
          error={errors["name"]}
          onText={(name) => set({ name })}
        />
        <KeyFile isApple={isApple} fields={fields} error={errors["keyFile"]} set={set} />
        {isApple ? <AppleFields fields={fields} errors={errors} set={set} /> : null}
        {isApple ? null : (
          <TextField
            label="Bucket of reports (optional)"
            hint="From Play Console, Download reports: the part after gs://"
            value={fields.bucket}
            error={errors["bucket"]}
            onText={(bucket) => set({ bucket })}
          />
        )}
        {add.isError ? <ErrorNote error={add.error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={add.isPending}>
            Add the account
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

type PartProps = { fields: Fields; set: (change: Partial<Fields>) => void };

function KeyFile(props: PartProps & { isApple: boolean; error: string | undefined }) {
  const { isApple, fields, error, set } = props;
  return (
    <>
      <label className={styles.soft}>
        {isApple ? "Choose the .p8 file" : "Choose the service account's JSON file"}{" "}
        <input
          type="file"
          accept={isApple ? ".p8,.pem" : ".json,application/json"}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file) void file.text().then((keyFile) => set({ keyFile }));
          }}
        />
      </label>
      <TextArea
        label="Key file"
        hint="Or paste its content. It is stored encrypted and never shown again."
        required
        rows={4}
        spellCheck={false}
        autoComplete="off"
        value={fields.keyFile}
        error={error}
        onText={(keyFile) => set({ keyFile })}
      />
    </>
  );
}

function AppleFields(props: PartProps & { errors: Readonly<Record<string, string>> }) {
  const { fields, errors, set } = props;
  return (
    <>
      <TextField
        label="Key id"
        required
        value={fields.keyId}
        error={errors["keyId"]}
        onText={(keyId) => set({ keyId })}
      />
      <TextField
        label="Issuer id"
        hint="Empty for an individual key"
        value={fields.issuerId}
        error={errors["issuerId"]}
        onText={(issuerId) => set({ issuerId })}
      />
    </>
  );
}
