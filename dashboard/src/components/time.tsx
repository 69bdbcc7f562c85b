// A time in the browser's time zone, with UTC on hover and for machines.
import { useEffect, useState } from "react";
import { nowMs } from "../format/clock.ts";
import { formatDue, formatMoment, formatRelative, formatUtc } from "../format/dates.ts";

export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  return relative ? (
    <Relative at={at} text={formatRelative(at)} />
  ) : (
    <time dateTime={at} title={formatUtc(at)}>
      {formatMoment(at)}
    </time>
  );
}

/** When planned work is due, counting down at the end: `in 5 min`, `in 40 s`, `now`. */
export function DueTime({ at }: { at: string }) {
  useNowMs(at);
  return <Relative at={at} text={formatDue(at)} />;
}

const secondMs = 1_000;
const countedDownMs = 90_000;

/** The time, every second in the last moments before `until`, so that what is shown follows it. */
export function useNowMs(until: string | null): number {
  const [now, setNow] = useState(nowMs);
  const untilMs = until === null ? null : Date.parse(until);
  useEffect(() => {
    setNow(nowMs());
    if (untilMs === null) return;
    const timer = setInterval(() => {
      const leftMs = untilMs - nowMs();
      if (leftMs < countedDownMs) setNow(nowMs());
      if (leftMs < -secondMs) clearInterval(timer);
    }, secondMs);
    return () => clearInterval(timer);
  }, [untilMs]);
  return now;
}

function Relative({ at, text }: { at: string; text: string }) {
  return (
    <time dateTime={at} title={`${formatMoment(at)} · ${formatUtc(at)}`}>
      {text}
    </time>
  );
}
