// A press on a point of a chart opens its reviews. On a touch screen the first one only shows the value: without a
// pointer, nothing could show it before.
import { useRef } from "react";
import { useLocation } from "wouter";
import { useIsShared } from "../components/link.tsx";

const canHover = window.matchMedia("(hover: hover)");

/** Returns what handles a press on the point that leads to `to`. */
export function usePress(): (to: string) => void {
  const [, navigate] = useLocation();
  const read = useRef<string | null>(null);
  const isShared = useIsShared();
  return (to) => {
    if (isShared) return;
    if (canHover.matches || read.current === to) navigate(to);
    else read.current = to;
  };
}
