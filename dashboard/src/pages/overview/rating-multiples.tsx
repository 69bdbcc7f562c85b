// The store ratings of all apps as small charts side by side, each with its rating now and how it changed. They
// share their days, and each has an axis of its own: what matters is which one moves.
import { useSearchParams } from "wouter";
import type { OverviewApp } from "../../../../src/dashboard-api/contract/overview.ts";
import { Card } from "../../components/card.tsx";
import { Link } from "../../components/link.tsx";
import { formatDay } from "../../format/dates.ts";
import { storeName } from "../../format/names.ts";
import { formatStars } from "../../format/numbers.ts";
import { Change } from "./change.tsx";
import styles from "./multiples.module.css";
import { ratingAxis } from "./rating-axis.ts";

type RatingMultiplesProps = {
  apps: readonly OverviewApp[];
  range: { from: string; to: string };
};

export function RatingMultiples({ apps, range }: RatingMultiplesProps) {
  const drawn = apps.filter(({ ratingDays }) => ratingDays.length > 1);
  if (drawn.length === 0) return null;
  return (
    <div className={styles.card}>
      <Card
        title="Store ratings"
        hint={`All-time averages, ${formatDay(range.from)} to ${formatDay(range.to)}`}
      >
        <ul className={styles.multiples}>
          {drawn.map((app) => (
            <Multiple key={app.appId} app={app} range={range} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

const width = 240;
const height = 56;
const inset = 3;

function Multiple({ app, range }: { app: OverviewApp; range: RatingMultiplesProps["range"] }) {
  const [search] = useSearchParams();
  const next = new URLSearchParams(search);
  next.set("app", app.appId);
  const { ratingDays, rating } = app;
  const [low, high] = ratingAxis(
    ratingDays.map(({ average }) => average),
    0.1,
  );
  const [first, last] = [Date.parse(range.from), Date.parse(range.to)];
  const points = ratingDays.map(({ day, average }) => {
    const x = inset + ((Date.parse(day) - first) / Math.max(1, last - first)) * (width - 2 * inset);
    const y = inset + ((high - average) / (high - low)) * (height - 2 * inset);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const end = points.at(-1)?.split(",");
  return (
    <li>
      <Link href={`/overview?${next}`} className={styles.multiple}>
        <span className={styles.head}>
          <span>
            <strong>{app.name}</strong> {storeName(app.store)}
          </span>
          <span>
            <strong>{formatStars(rating?.average ?? 0)}</strong>{" "}
            {rating?.change ? <Change by={rating.change.average} /> : null}
          </span>
        </span>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          <polyline points={points.join(" ")} />
          {end ? <circle cx={end[0]} cy={end[1]} r="2.5" /> : null}
        </svg>
        <span className={styles.axis}>
          {low.toFixed(2)} to {high.toFixed(2)} stars
        </span>
      </Link>
    </li>
  );
}
