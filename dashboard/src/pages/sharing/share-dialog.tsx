// Makes a link by which people without an account read the page, or feed readers the view; its secret is shown this once.
import { useState } from "react";
import type { NewLink } from "../../../../src/features/sharing/contract.ts";
import { useApiMutation, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFooter } from "../../components/dialog.tsx";
import { Select } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { Link } from "../../components/link.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import { daysBefore, todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";

type ShareablePage =
  | { kind: "overview" | "comparison"; query: string }
  | { kind: "view" | "feed"; viewId: string };

export function ShareButton({ page }: { page: ShareablePage }) {
  const [isOpen, setOpen] = useState(false);
  if (useWorkspace().isViewer) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Share</Button>
      {isOpen ? <ShareDialog page={page} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const titles: Record<ShareablePage["kind"], string> = {
  overview: "Share this overview",
  comparison: "Share this comparison",
  view: "Share this view",
  feed: "RSS feed of this view",
};
const forms = [
  { value: "live", label: "Live: the page as it is whenever someone opens it" },
  { value: "frozen", label: "Frozen: the figures of today, which never change" },
] as const;
const report = {
  value: "report",
  label: "Report: the figures of today on one page to print",
} as const;
const ends = [7, 30, 90, 365];
const never = { value: "never", label: "Never" };

type ShareDialogProps = { page: ShareablePage; onClose: () => void };

export function ShareDialog({ page, onClose }: ShareDialogProps) {
  const { isOwner } = useWorkspace();
  const { kind } = page;
  const [form, setForm] = useState<"live" | "frozen" | "report">("live");
  const [days, setDays] = useState(kind === "feed" ? "365" : "30");
  const make = useApiMutation("POST /workspaces/:workspace/links", [
    "GET /workspaces/:workspace/outgoing",
    "GET /workspaces/:workspace/views",
  ]);
  if (make.data) return <MadeLink title={titles[kind]} path={make.data.path} onClose={onClose} />;
  if (!isOwner) {
    return (
      <Dialog title={titles[kind]} onClose={onClose}>
        <p>Only an owner of the workspace can make a link that works without an account.</p>
        <DialogFooter>
          <Button onClick={onClose}>Close</Button>
        </DialogFooter>
      </Dialog>
    );
  }
  const options = ends.map((count) => ({
    value: String(count),
    label: `${count === 365 ? "In a year" : `In ${count} days`}, on ${formatDay(daysBefore(todayUtc(), -count))}`,
  }));
  return (
    <FormDialog
      title={titles[kind]}
      submitLabel="Create link"
      state={make}
      onSubmit={() => make.mutate({ body: toLink(page, { form, days }) })}
      onClose={onClose}
    >
      <p>
        {kind === "feed"
          ? "Feed readers, and Slack's /feed, read the newest 50 reviews of the view."
          : "Everyone with the link can read this page without an account, and nothing else of the workspace."}
      </p>
      {kind === "feed" ? null : (
        <RadioGroup
          legend="Content"
          options={kind === "overview" ? [...forms, report] : forms}
          selected={form}
          onSelect={setForm}
        />
      )}
      <Select
        label="The link ends"
        value={days}
        options={kind === "feed" ? [...options, never] : options}
        onValueChange={setDays}
        hint="It also ends when you leave the workspace, or when a member ends it."
      />
    </FormDialog>
  );
}

function toLink(page: ShareablePage, chosen: { form: string; days: string }): NewLink {
  const days = Number(chosen.days);
  const isFrozen = chosen.form === "frozen";
  if (page.kind === "feed")
    return { ...page, kind: page.kind, days: Number.isNaN(days) ? null : days };
  if (page.kind === "overview" && chosen.form === "report")
    return { ...page, kind: chosen.form, days };
  return { ...page, isFrozen, days } as NewLink;
}

function MadeLink({ title, path, onClose }: { title: string; path: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        You won't see this link again. <Link href="/settings?tab=outgoing">Sharing and access</Link>{" "}
        lists all links of the workspace, and ends them.
      </p>
      <CodeLine code={new URL(path, location.origin).href} label="Link" />
      <DialogFooter>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
