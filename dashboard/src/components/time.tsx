// A time in the browser's time zone, with UTC on hover and for machines.
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

/** When planned work is due: `in 5 min`, `due now`. */
export function DueTime({ at }: { at: string }) {
  return <Relative at={at} text={formatDue(at)} />;
}

function Relative({ at, text }: { at: string; text: string }) {
  return (
    <time dateTime={at} title={`${formatMoment(at)} · ${formatUtc(at)}`}>
      {text}
    </time>
  );
}
