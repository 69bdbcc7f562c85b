// Adds an account at a store. Its key file is read in the browser, sent once and never shown again.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation } from "../../api/workspace.ts";
import { TextArea, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import { useToast } from "../../components/toast.tsx";
import { type AccountStore, accounts } from "../../format/stores.ts";
import styles from "./settings.module.css";

export const credentialsRoute = "GET /workspaces/:workspace/credentials" as const;

const stores = (Object.keys(accounts) as AccountStore[]).map((value) => ({
  value,
  label: accounts[value].name,
}));

type Fields = { name: string; keyFile: string; keyId: string; issuerId: string; bucket: string };

const emptyFields: Fields = { name: "", keyFile: "", keyId: "", issuerId: "", bucket: "" };

export function NewCredentialDialog({ onClose }: { onClose: () => void }) {
  const [store, setStore] = useState<AccountStore>("appstore");
  const [fields, setFields] = useState(emptyFields);
  const showToast = useToast();
  const add = useApiMutation("POST /workspaces/:workspace/credentials", [credentialsRoute]);
  const isApple = accounts[store].keyFile === ".p8";
  const save = () => {
    const { name, keyFile, keyId, issuerId, bucket } = fields;
    const storeFields = isApple
      ? { keyId: keyId.trim() || null, issuerId: issuerId.trim() || null, bucket: null }
      : { keyId: null, issuerId: null, bucket: bucket.trim() || null };
    add.mutate(
      { body: { store, keyFile, name: name.trim(), ...storeFields } },
      {
        onSuccess: () => {
          showToast("The account was added");
          onClose();
        },
      },
    );
  };
  const fieldsProps = {
    fields,
    errors: fieldErrors(add.error),
    set: (change: Partial<Fields>) => setFields({ ...fields, ...change }),
  };
  return (
    <FormDialog
      title="Add a store account"
      submitLabel="Add the account"
      state={add}
      fieldNames={["name", "keyFile", "keyId", "issuerId", "bucket"]}
      onClose={onClose}
      onSubmit={save}
    >
      <RadioGroup legend="Store" options={stores} selected={store} onSelect={setStore} />
      <TextField
        label="Name"
        required
        maxLength={200}
        value={fields.name}
        error={fieldsProps.errors["name"]}
        onValueChange={(name) => fieldsProps.set({ name })}
      />
      <KeyFileFields {...fieldsProps} isApple={isApple} />
      {isApple ? <AppleFields {...fieldsProps} /> : <GoogleFields {...fieldsProps} />}
    </FormDialog>
  );
}

type FieldsProps = {
  fields: Fields;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<Fields>) => void;
};

function KeyFileFields({ isApple, fields, errors, set }: FieldsProps & { isApple: boolean }) {
  return (
    <>
      <label className={styles.fileField}>
        <span>{isApple ? "Choose the .p8 file" : "Choose the service account's JSON file"}</span>
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
        error={errors["keyFile"]}
        onValueChange={(keyFile) => set({ keyFile })}
      />
    </>
  );
}

function AppleFields({ fields, errors, set }: FieldsProps) {
  return (
    <>
      <TextField
        label="Key ID"
        required
        value={fields.keyId}
        error={errors["keyId"]}
        onValueChange={(keyId) => set({ keyId })}
      />
      <TextField
        label="Issuer ID"
        hint="Empty for an individual key"
        value={fields.issuerId}
        error={errors["issuerId"]}
        onValueChange={(issuerId) => set({ issuerId })}
      />
    </>
  );
}

function GoogleFields({ fields, errors, set }: FieldsProps) {
  return (
    <TextField
      label="Report bucket (optional)"
      hint="From Play Console, Download reports: the part after gs://"
      value={fields.bucket}
      error={errors["bucket"]}
      onValueChange={(bucket) => set({ bucket })}
    />
  );
}
