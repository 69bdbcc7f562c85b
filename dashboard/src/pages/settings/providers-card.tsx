// Who translates and analyses for the whole installation, as the operator has set it.
import type { ProviderState } from "../../../../src/dashboard-api/contract/settings.ts";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { formatCount } from "../../format/numbers.ts";
import styles from "./settings.module.css";

const kinds: Record<ProviderState["kind"], string> = {
  translate: "Translation",
  analyse: "Analysis",
};

/** Where nobody outside is asked. */
const ownWords: Record<string, { name: string; state: string }> = {
  none: { name: "None", state: "Nothing is translated" },
  local: { name: "Built in", state: "Reviews stay on this machine" },
};

const columns: TableColumn<ProviderState>[] = [
  { head: "What", cell: ({ kind }) => <strong>{kinds[kind]}</strong> },
  { head: "Provider", cell: ({ provider }) => ownWords[provider]?.name ?? provider },
  { head: "State", cell: (state) => <State state={state} /> },
  {
    head: "Today",
    cell: ({ provider, usedToday, dayMax, unit }) =>
      dayMax > 0 && !ownWords[provider]
        ? `${formatCount(usedToday)} of ${formatCount(dayMax)} ${unit}`
        : "–",
    end: true,
  },
];

export function ProvidersCard({ providers }: { providers: readonly ProviderState[] }) {
  return (
    <Card title="Translation and analysis" hint="Set by the operator for the whole installation">
      {providers.length === 0 ? (
        <p className={styles.soft}>
          No provider is set: reviews are analysed on this machine, and nothing is translated. The
          operator sets one with <code>TRANSLATE_PROVIDER</code>.
        </p>
      ) : (
        <Table
          caption="Providers"
          rows={providers}
          rowKey={({ kind }) => kind}
          columns={columns}
          stacked
        />
      )}
    </Card>
  );
}

function State({ state: { provider, status, restsUntil, goodAt } }: { state: ProviderState }) {
  return (
    <div>
      {ownWords[provider]?.state ?? status}{" "}
      {restsUntil ? (
        <Chip tone="warn">
          Rests until <Time at={restsUntil} />
        </Chip>
      ) : null}
      {goodAt ? (
        <div className={styles.soft}>
          last good answer <Time at={goodAt} relative />
        </div>
      ) : null}
    </div>
  );
}
