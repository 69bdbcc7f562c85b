// A button that unfolds a small panel of links and buttons. It closes by Escape, by a click elsewhere and
// when the focus leaves it.
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./menu.module.css";

type MenuProps = {
  /** Said after what the button shows, for screen readers. */
  label: string;
  button: ReactNode;
  /** Which edge the panel shares with its button. */
  edge?: "start" | "end";
  /** Opens towards the top, for a button at the foot of the screen. */
  upwards?: boolean;
  /** Looks like the other buttons. */
  framed?: boolean;
  children: ReactNode;
};

export function Menu(props: MenuProps) {
  const { label, button, edge = "start", upwards = false, framed = false, children } = props;
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = ref.current;
      if (menu?.open && event.target instanceof Node && !menu.contains(event.target)) {
        menu.open = false;
      }
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("focusin", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("focusin", close);
    };
  }, []);
  const shut = () => {
    if (ref.current) ref.current.open = false;
  };
  const place = `${styles.panel} ${edge === "end" ? styles.end : ""} ${upwards ? styles.upwards : ""}`;
  return (
    <details
      ref={ref}
      className={styles.menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !ref.current?.open) return;
        shut();
        ref.current.querySelector("summary")?.focus();
      }}
    >
      <summary className={framed ? `${styles.summary} ${styles.framed}` : styles.summary}>
        {button}
        <span className="visually-hidden">{label}</span>
      </summary>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: closes after what was clicked inside */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the things inside have their own keys */}
      <div
        className={place}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest("a,button")) shut();
        }}
      >
        {children}
      </div>
    </details>
  );
}
