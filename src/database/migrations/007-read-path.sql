-- Versions: every change that the read API or the dashboard shows raises one in its transaction. An answer
-- is tagged with the versions that it was made of.
alter table listings add column version bigint not null default 0;
alter table apps add column version bigint not null default 0;

-- The storefronts or languages of which the listing has reviews. A workspace that follows all of them reads
-- the listing as a whole; one that follows fewer reads by region.
alter table listings add column regions text[] not null default '{}';
update listings l set regions = array(
  select distinct coalesce(r.language_hint, nullif(r.country, ''), 'und') from reviews r where r.listing_id = l.id order by 1
);
create index reviews_by_region on reviews (listing_id, coalesce(language_hint, nullif(country, ''), 'und'), date, id);

-- Rollups by region beside those of the whole listing, whose region is ''.
alter table review_days add column region text not null default '';
alter table review_days drop constraint review_days_pkey;
alter table review_days add primary key (listing_id, region, day);
insert into review_days (listing_id, region, day, total, stars_1, stars_2, stars_3, stars_4, stars_5,
  positive, neutral, negative, mixed)
select listing_id, coalesce(language_hint, nullif(country, ''), 'und'), (date at time zone 'UTC')::date, count(*),
  count(*) filter (where rating = 1), count(*) filter (where rating = 2),
  count(*) filter (where rating = 3), count(*) filter (where rating = 4),
  count(*) filter (where rating = 5), count(*) filter (where sentiment = 'positive'),
  count(*) filter (where sentiment = 'neutral'), count(*) filter (where sentiment = 'negative'),
  count(*) filter (where sentiment = 'mixed')
from reviews group by 1, 2, 3;
alter table review_days alter column region drop default;

alter table topic_days add column region text not null default '';
alter table topic_days drop constraint topic_days_pkey;
alter table topic_days add primary key (listing_id, region, day, topic);
insert into topic_days (listing_id, region, day, topic, total)
select listing_id, coalesce(language_hint, nullif(country, ''), 'und'), (date at time zone 'UTC')::date, topic, count(*)
from reviews, unnest(topics) topic group by 1, 2, 3, 4;
alter table topic_days alter column region drop default;

alter table topic_weeks add column region text not null default '';
alter table topic_weeks drop constraint topic_weeks_pkey;
alter table topic_weeks add primary key (listing_id, region, week, topic);
insert into topic_weeks (listing_id, region, week, topic, total)
select listing_id, region, date_trunc('week', day::timestamp)::date, topic, sum(total)
from topic_days where region <> '' group by 1, 2, 3, 4;
alter table topic_weeks alter column region drop default;

-- What each workspace sees of a listing. `regions` is null where it sees all of it: its own private listing,
-- or a public one of which it follows every region. Else it sees these regions alone, whatever the listing's
-- other followers chose. `rollup_regions` are the same as the rollups name them.
create view followed_apps as
select a.id, a.workspace_id, a.listing_id, coalesce(a.name, l.name, l.external_app_id) as name, l.store,
  l.external_app_id, coalesce(l.icon_url, '') as icon_url, a.countries, s.regions,
  coalesce(s.regions, array['']) as rollup_regions, a.version::text || '.' || l.version as version
from apps a join listings l on l.id = a.listing_id
cross join lateral (
  select case l.store when 'googleplay'
    then array(select split_part(language, '-', 1) from unnest(a.languages) language)
    else a.countries end as regions
) f
cross join lateral (
  select case when l.workspace_id is not null or l.regions <@ f.regions then null
    else array(select unnest(l.regions) intersect select unnest(f.regions) order by 1) end as regions
) s;
