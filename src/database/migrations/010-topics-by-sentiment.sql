-- How the reviews of each topic feel, beside how many there are. What is stored is counted once, here.
set local statement_timeout = 0;

alter table topic_days
  add column positive_reviews integer not null default 0,
  add column neutral_reviews integer not null default 0,
  add column negative_reviews integer not null default 0,
  add column mixed_reviews integer not null default 0;
alter table topic_weeks
  add column positive_reviews integer not null default 0,
  add column neutral_reviews integer not null default 0,
  add column negative_reviews integer not null default 0,
  add column mixed_reviews integer not null default 0;

create temporary table felt_topics on commit drop as
select r.listing_id, g.region, (r.date at time zone 'UTC')::date as day, topic,
  count(*) filter (where r.sentiment = 'positive') as positive,
  count(*) filter (where r.sentiment = 'neutral') as neutral,
  count(*) filter (where r.sentiment = 'negative') as negative,
  count(*) filter (where r.sentiment = 'mixed') as mixed
from reviews r cross join unnest(r.topics) topic
cross join lateral (values (''), (coalesce(r.language_hint, nullif(r.country, ''), 'und'))) g (region)
group by 1, 2, 3, 4;

update topic_days d set positive_reviews = f.positive, neutral_reviews = f.neutral, negative_reviews = f.negative, mixed_reviews = f.mixed
from felt_topics f
where d.listing_id = f.listing_id and d.region = f.region and d.day = f.day and d.topic = f.topic;

update topic_weeks w set positive_reviews = f.positive, neutral_reviews = f.neutral, negative_reviews = f.negative, mixed_reviews = f.mixed
from (
  select listing_id, region, date_trunc('week', day::timestamp)::date as week, topic, sum(positive) as positive,
    sum(neutral) as neutral, sum(negative) as negative, sum(mixed) as mixed
  from felt_topics group by 1, 2, 3, 4
) f
where w.listing_id = f.listing_id and w.region = f.region and w.week = f.week and w.topic = f.topic;
