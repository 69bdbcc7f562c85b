-- Rollups by language and by version, beside those by day and by topic: what rose is found in them, at a cost of
-- days and not of reviews.
create table facet_days (
  listing_id uuid not null references listings on delete cascade,
  -- '' is the whole listing.
  region text not null,
  day date not null,
  facet text not null check (facet in ('language', 'version')),
  value text not null,
  total integer not null,
  -- Of these the negative ones.
  negative integer not null,
  primary key (listing_id, region, day, facet, value)
);
insert into facet_days (listing_id, region, day, facet, value, total, negative)
select r.listing_id, g.region, (r.date at time zone 'UTC')::date, f.facet, f.value, count(*),
  count(*) filter (where r.sentiment = 'negative')
from reviews r
cross join lateral (values (''), (coalesce(r.language_hint, nullif(r.country, ''), 'und'))) g (region)
cross join lateral (values ('language', r.language), ('version', nullif(r.version, ''))) f (facet, value)
where f.value is not null
group by 1, 2, 3, 4, 5;

-- The opinion on each topic of a review, in the order of its topics; null where the analysis does not tell it.
alter table reviews add column topic_scores real[];

-- How many of the reviews with a topic speak well and ill of it, and how many stars below five those gave that
-- speak ill. 0 until the reviews are analysed again.
alter table topic_days add column positive integer not null default 0,
  add column negative integer not null default 0, add column stars_lost integer not null default 0;
alter table topic_weeks add column positive integer not null default 0,
  add column negative integer not null default 0, add column stars_lost integer not null default 0;
