// The providers of translation and analysis, which the operator sets for the whole installation.
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

/** The providers that are not external services. */
const internalProviders: Record<string, { name: string; state: string }> = {
  none: { name: "None", state: "Off" },
  local: { name: "Built in", state: "Reviews stay on this machine" },
};

const columns: TableColumn<ProviderState>[] = [
  { header: "Task", cell: ({ kind }) => <strong>{kinds[kind]}</strong> },
  { header: "Provider", cell: ({ provider }) => internalProviders[provider]?.name ?? provider },
  { header: "State", cell: (state) => <State state={state} /> },
  {
    header: "Today",
    cell: ({ provider, usedToday, dayMax, unit }) =>
      dayMax > 0 && !internalProviders[provider]
        ? `${formatCount(usedToday)} of ${formatCount(dayMax)} ${unit}`
        : "–",
    alignEnd: true,
  },
];

export function ProvidersCard({ providers }: { providers: readonly ProviderState[] }) {
  return (
    <Card title="Translation and analysis" hint="Set by the operator for the whole installation">
      {providers.length === 0 ? (
        <p className={styles.soft}>
          No provider is set: reviews are analysed on this machine and not translated. The operator
          sets one with <code>TRANSLATE_PROVIDER</code>.
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
      {internalProviders[provider]?.state ?? status}{" "}
      {restsUntil ? (
        <Chip tone="warn">
          Paused until <Time at={restsUntil} />
        </Chip>
      ) : null}
      {goodAt ? (
        <div className={styles.soft}>
          last success <Time at={goodAt} relative />
        </div>
      ) : null}
    </div>
  );
}
