// The days around a release that its page compares. The service reads them for a report, the dashboard for the page.

const comparedDays = 14;
const dayMs = 86_400_000;

type Period = { from: string; to: string };

/**
 * All days are YYYY-MM-DD. `after` ends with the day before the next release, `around` has the rating.
 *
 * @param release.nextDay of the next release; null without one
 */
export function releasePeriods(release: { day: string; nextDay: string | null; today: string }): {
  after: Period;
  around: Period;
} {
  const { day, nextDay, today } = release;
  const end = earlier(addDays(day, comparedDays - 1), today);
  return {
    after: { from: day, to: nextDay === null ? end : earlier(end, addDays(nextDay, -1)) },
    around: { from: addDays(day, -comparedDays), to: end },
  };
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}
