-- How often the reviews of a feed are read, in minutes, as its last crawl left it. docs/adr/0041-quiet-lists-make-room.md
alter table feeds add column interval_minutes integer;

-- Whether the next crawl is a long one: the rest of the lane of a feed. Who looks for what is due reads one range.
alter table feeds add column is_long boolean not null generated always as (
  kind = 'reviews' and (baseline_at is null or full_crawl_due_at is null or full_crawl_due_at <= next_due_at)
) stored;
drop index feeds_due;
create index feeds_due on feeds (store, is_official, is_long, next_due_at);
-- Those that somebody crawls, or whose process ended.
create index feeds_leased on feeds (leased_until) where lease_token is not null;
