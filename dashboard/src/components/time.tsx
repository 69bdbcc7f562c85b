// A moment in the browser's zone, with UTC on hover and for machines.
import { formatMoment, formatRelative, formatUtc } from "../format/dates.ts";

export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  return (
    <time dateTime={at} title={relative ? `${formatMoment(at)} · ${formatUtc(at)}` : formatUtc(at)}>
      {relative ? formatRelative(at) : formatMoment(at)}
    </time>
  );
}
