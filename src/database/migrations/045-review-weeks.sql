-- Counts of reviews by week beside those by day, so that a quarter of many apps is a few rows of each.
create table review_weeks (
  listing_id uuid not null references listings on delete cascade,
  region text not null,
  -- Its Monday.
  week date not null,
  total integer not null,
  stars_1 integer not null,
  stars_2 integer not null,
  stars_3 integer not null,
  stars_4 integer not null,
  stars_5 integer not null,
  positive integer not null,
  neutral integer not null,
  negative integer not null,
  mixed integer not null,
  primary key (listing_id, region, week)
);
insert into review_weeks
select listing_id, region, date_trunc('week', day::timestamp)::date, sum(total), sum(stars_1), sum(stars_2),
  sum(stars_3), sum(stars_4), sum(stars_5), sum(positive), sum(neutral), sum(negative), sum(mixed)
from review_days group by 1, 2, 3 order by 1, 2, 3;
