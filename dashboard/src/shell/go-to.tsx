// Keys of every page: Ctrl+K (⌘K) finds a page, an app or a view by its name, and ? lists the keys.
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useApiQuery } from "../api/workspace.ts";
import { Dialog } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { Link } from "../components/link.tsx";
import { appLabel } from "../format/names.ts";
import styles from "./go-to.module.css";

type Target = { path: string; label: string; kind: string };

const shownMax = 12;
const modifier = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘" : "Ctrl";
const keys: readonly [keys: string, effect: string][] = [
  [`${modifier} K`, "Go to a page, an app or a view"],
  ["/", "Search reviews"],
  ["j  k", "Next and previous review"],
  ["x", "Select the review"],
  ["a", "Assign what is selected"],
  ["t", "Tag what is selected"],
  ["e", "Mark what is selected as done"],
  ["Esc", "Close what is open"],
  ["?", "Show these keys"],
];

export function GoTo({ pages }: { pages: readonly { path: string; label: string }[] }) {
  const [open, setOpen] = useState<"targets" | "keys" | null>(null);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { target } = event;
      const isTyping = target instanceof Element && target.matches("input, textarea, select");
      const isFind = event.key === "k" && (event.ctrlKey || event.metaKey);
      // A dialog that asks something stays on top.
      if (document.querySelector("dialog[open]") || (!isFind && (event.key !== "?" || isTyping)))
        return;
      event.preventDefault();
      setOpen(isFind ? "targets" : "keys");
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const close = () => setOpen(null);
  if (open === "targets") return <Targets pages={pages} onClose={close} />;
  return open === "keys" ? <Keys onClose={close} /> : null;
}

type TargetsProps = {
  pages: readonly { path: string; label: string }[];
  onClose: () => void;
};

function Targets({ pages, onClose }: TargetsProps) {
  const [text, setText] = useState("");
  const [, navigate] = useLocation();
  const list = useRef<HTMLUListElement>(null);
  const apps = useApiQuery("GET /workspaces/:workspace/app-names", {}).data?.apps ?? [];
  const views = useApiQuery("GET /workspaces/:workspace/views", {}).data?.views ?? [];
  const targets: Target[] = [
    ...pages.map((page) => ({ ...page, kind: "Page" })),
    ...views.map(({ id, name, query }) => ({
      path: `/reviews?${query}&view=${id}`,
      label: name,
      kind: "View",
    })),
    ...apps.map((app) => ({ path: `/overview?app=${app.id}`, label: appLabel(app), kind: "App" })),
  ];
  const words = text.toLowerCase().split(/\s+/);
  const found = targets
    .filter(({ label, kind }) =>
      words.every((word) => `${kind} ${label}`.toLowerCase().includes(word)),
    )
    .slice(0, shownMax);
  const moveFocus = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    links[Math.max(0, Math.min(at + step, links.length - 1))]?.focus();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        onKeyDown={moveFocus}
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = found;
          if (!first) return;
          onClose();
          navigate(first.path);
        }}
      >
        <TextField
          label="Page, app or view"
          hideLabel
          placeholder="Page, app or view"
          autoComplete="off"
          value={text}
          onValueChange={setText}
        />
        <ul ref={list} className={styles.targets}>
          {found.map(({ path, label, kind }) => (
            <li key={path}>
              <Link href={path} className={styles.target} onClick={onClose}>
                <span className={styles.label}>{label}</span>
                <span className={styles.kind}>{kind}</span>
              </Link>
            </li>
          ))}
        </ul>
        {found.length === 0 ? <p className={styles.kind}>Nothing has this name.</p> : null}
      </form>
    </Dialog>
  );
}

function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.keys}>
        {keys.map(([key, effect]) => (
          <div key={key}>
            <dt>
              {key.split("  ").map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
