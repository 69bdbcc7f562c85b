// A text of people, folded after eight lines with a button for the rest, so that one does not push all others out of sight.
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Button } from "./button.tsx";
import styles from "./long-text.module.css";

type LongTextProps = {
  /** Its characters: short texts are not measured. */
  length: number;
  /** It is unfolded from the beginning. */
  isOpen?: boolean;
  lang?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** Eight lines of a phone have more. */
const measuredMin = 250;

export function LongText({ length, isOpen = false, lang, className, children }: LongTextProps) {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  const content = useRef<HTMLDivElement>(null);
  const isLong = useIsHigherThan(content, length >= measuredMin);
  const isFolded = !isUnfolded && length >= measuredMin;
  return (
    <div>
      <div
        ref={content}
        lang={lang}
        dir="auto"
        className={[className, isFolded && styles.folded, isFolded && isLong && styles.cut]
          .filter(Boolean)
          .join(" ")}
      >
        {children}
      </div>
      {isLong ? (
        <Button
          small
          kind="quiet"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? "Show less" : "Show the whole text"}
        </Button>
      ) : null}
    </div>
  );
}

/** Whether the content is higher than the eight lines, also after the window has changed. */
function useIsHigherThan(content: { current: HTMLElement | null }, isMeasured: boolean): boolean {
  const [isHigher, setHigher] = useState(false);
  useLayoutEffect(() => {
    const element = content.current;
    if (!element || !isMeasured) return undefined;
    const measure = () => {
      const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight);
      setHigher(element.scrollHeight > lineHeight * 9);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [content, isMeasured]);
  return isHigher;
}
