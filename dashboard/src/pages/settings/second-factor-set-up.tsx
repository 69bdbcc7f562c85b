// Setting up a second factor: the QR code and secret for the authenticator app, and the first code from it.
import { useMemo, useState } from "react";
import { encode } from "uqr";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation } from "../../api/workspace.ts";
import { CodeLine } from "../../components/copy-button.tsx";
import { CodeField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import styles from "./settings.module.css";

type SecondFactorSetUpProps = {
  factor: { secret: string; uri: string };
  onCodes: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
};

export function SecondFactorSetUp({ factor, onCodes, onClose }: SecondFactorSetUpProps) {
  const [code, setCode] = useState("");
  const confirm = useApiMutation("POST /session/second-factor/confirm", [
    "GET /session/second-factor",
    "GET /session/sessions",
    "GET /workspaces/:workspace/members",
  ]);
  // Not by a callback of `mutate`: this dialog is gone when the card behind it shows that the factor is on.
  const submit = () => {
    confirm.mutateAsync({ body: { code } }).then(
      ({ recoveryCodes }) => onCodes(recoveryCodes),
      // The form shows it.
      () => undefined,
    );
  };
  return (
    <FormDialog
      title="Set up two-factor authentication"
      submitLabel="Turn on"
      state={confirm}
      fieldNames={["code"]}
      onClose={onClose}
      onSubmit={submit}
    >
      <p>Scan this with an authenticator app, or type the secret into it.</p>
      <QrCode text={factor.uri} label="QR code for an authenticator app" />
      <CodeLine code={factor.secret.replace(/(.{4})(?=.)/g, "$1 ")} label="Secret" />
      <CodeField
        value={code}
        error={fieldErrors(confirm.error)["code"]}
        hint="The 6 digits that the app shows now. All other sessions will be signed out."
        onValueChange={setCode}
      />
    </FormDialog>
  );
}

/** Dark on light whatever the theme: scanners expect it, with a margin of four squares. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawQrCode(text), [text]);
  return (
    <svg className={styles.qrCode} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

function drawQrCode(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: squares.join("") };
}
