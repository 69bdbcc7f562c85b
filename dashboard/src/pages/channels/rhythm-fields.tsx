// When a channel sends: each event at once, or a digest every day or week at a time of a time zone.
import { Select, TextField } from "../../components/field.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import type { ChannelDraft, DigestRhythm } from "./channel-draft.ts";
import styles from "./channels.module.css";

const rhythms = [
  { value: "each", label: "Each event at once" },
  { value: "daily", label: "A digest every day" },
  { value: "weekly", label: "Weekly digest (Monday)" },
] as const;

// Not all browsers list UTC.
const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

export function RhythmFields(props: {
  draft: ChannelDraft;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<ChannelDraft>) => void;
}) {
  const { draft, errors, set } = props;
  const choose = (chosen: "each" | DigestRhythm) =>
    set({ digest: chosen === "each" ? null : chosen });
  return (
    <>
      <RadioGroup
        legend="When"
        options={rhythms}
        selected={draft.digest ?? "each"}
        error={errors["digest"]}
        hint={
          draft.digest === null ? undefined : "Counts, ratings, what changed and top complaints"
        }
        onSelect={choose}
      />
      {draft.digest === null ? null : (
        <div className={styles.rhythm}>
          <TextField
            label="At"
            type="time"
            required
            value={draft.digestAt}
            error={errors["digestAt"]}
            onValueChange={(digestAt) => set({ digestAt })}
          />
          <Select
            label="Time zone"
            options={[...new Set([draft.timeZone, ...zones])].map((zone) => ({
              value: zone,
              label: zone.replaceAll("_", " "),
            }))}
            value={draft.timeZone}
            error={errors["timeZone"]}
            onValueChange={(timeZone) => set({ timeZone })}
          />
        </div>
      )}
    </>
  );
}
