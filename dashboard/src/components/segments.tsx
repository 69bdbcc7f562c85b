// Buttons side by side, of which one is chosen: another look at the same content.
import styles from "./segments.module.css";

type SegmentsProps<Name extends string> = {
  label: string;
  names: readonly Name[];
  chosen: Name;
  onChoose: (name: Name) => void;
};

export function Segments<Name extends string>(props: SegmentsProps<Name>) {
  const { label, names, chosen, onChoose } = props;
  return (
    <fieldset className={styles.segments} aria-label={label} data-print="hidden">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
