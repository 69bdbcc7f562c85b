-- Incidents are counted from the feeds that are held back, by the store, the source and the owner of private listings. What
-- is left to store is that an operator takes their pages for right.
drop table layout_incidents;
create table accepted_incidents (
  store text not null,
  source text not null,
  -- The workspace of private listings, or '' for listings that all share.
  scope text not null,
  kind text not null,
  accepted_at timestamptz not null,
  primary key (store, source, scope, kind)
);

-- Pages that were held back before have no source, and are read again.
update feeds set quarantined_page = null where quarantined_page is not null;
-- When a page of the feed last looked odd, to its own crawl or to that of another feed.
alter table feeds add column odd_at timestamptz;
drop index feeds_quarantined;
create index feeds_held_back on feeds (store)
  where quarantined_page is not null or quarantined_reading is not null or odd_at is not null;

-- Reviews of the last first page: a list that is cut short is shorter.
alter table feeds add column head_count integer not null default 0;
