// A button that opens a menu, after the menu button pattern of the ARIA Authoring Practices: arrow keys,
// Home and End move between the items; Escape, Tab, a click elsewhere or on an item closes the menu.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useKeptInWindow, useOutside } from "./floating.ts";
import { Icon } from "./icon.tsx";
import styles from "./menu.module.css";

type MenuProps = {
  /** Read out after what the button shows. */
  label: string;
  button: ReactNode;
  /** Which edge the menu shares with its button. */
  edge?: "start" | "end";
  /** Opens upwards, for a button at the bottom of the screen. */
  upwards?: boolean;
  /** Looks like the other buttons. */
  framed?: boolean;
  /** Text above and below the items. */
  header?: ReactNode;
  footer?: ReactNode;
  /** Links and buttons with the attributes of `menuItem`. */
  children: ReactNode;
};

/** The props that make a link or button an item of a menu. */
export const menuItem = { role: "menuitem", tabIndex: -1 } as const;

export function Menu(props: MenuProps) {
  const { label, button, edge = "start", upwards = false, framed = false } = props;
  // Open, and which item has the focus at first.
  const [open, setOpen] = useState<"first" | "last" | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    // A menu of many items begins with a search, which has the focus.
    const isSearched = root.current?.querySelector("input[type=search]");
    if (open && !isSearched) focusItem(root.current, open === "first" ? 0 : -1);
  }, [open]);
  useOutside(open ? root : null, () => setOpen(null));
  useKeptInWindow(panel);
  const close = () => {
    setOpen(null);
    trigger.current?.focus();
  };
  const onTriggerKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setOpen(event.key === "ArrowDown" ? "first" : "last");
  };
  const onMenuKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") close();
    else if (event.key === "Tab") setOpen(null);
    else if (moveFocus(root.current, event.key)) event.preventDefault();
  };
  return (
    <div ref={root} className={styles.menu}>
      <button
        ref={trigger}
        type="button"
        className={framed ? `${styles.trigger} ${styles.framed}` : styles.trigger}
        aria-haspopup="menu"
        aria-expanded={open !== null}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(open ? null : "first")}
        onKeyDown={onTriggerKey}
      >
        {button}
        {framed && typeof button === "string" ? <Icon name="down" size={16} /> : null}
        <span className="visually-hidden">{label}</span>
      </button>
      {open ? (
        <div ref={panel} className={panelClass({ edge, upwards })} data-panel>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the menu, from its search */}
          <div onKeyDown={onMenuKey}>{props.header}</div>
          <div
            id={id}
            role="menu"
            aria-label={label}
            tabIndex={-1}
            className={styles.items}
            onKeyDown={onMenuKey}
            onClick={(event) => {
              if (event.target instanceof Element && event.target.closest("[role=menuitem]"))
                close();
            }}
          >
            {props.children}
          </div>
          {props.footer}
        </div>
      ) : null}
    </div>
  );
}

function panelClass({ edge, upwards }: Required<Pick<MenuProps, "edge" | "upwards">>): string {
  const names = [styles.panel, edge === "end" && styles.end, upwards && styles.upwards];
  return names.filter(Boolean).join(" ");
}

/** Whether the key moves the focus; from the last item it goes on with the first. */
function moveFocus(root: HTMLElement | null, key: string): boolean {
  const items = itemsOf(root);
  const index = items.findIndex((item) => item.matches(":focus"));
  // In the search, these keys move in its text.
  if (index < 0 && (key === "Home" || key === "End")) return false;
  const targets: Record<string, number> = {
    ArrowDown: (index + 1) % items.length,
    ArrowUp: Math.max(index, 0) - 1,
    Home: 0,
    End: -1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  focusItem(root, target);
  return true;
}

/** A negative index counts from the end. */
function focusItem(root: HTMLElement | null, index: number): void {
  itemsOf(root).at(index)?.focus();
}

function itemsOf(root: HTMLElement | null): HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
}
