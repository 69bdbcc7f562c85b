-- Windows of a minute are worth nothing after a crash: unlogged, a request costs a sixth of the WAL.
alter table rate_windows set unlogged;

-- So that pairs can go when an edit of the review is no event any more. Pairs of before count from today.
alter table channel_reviews add column queued_on date not null default current_date;
create index channel_reviews_by_day on channel_reviews using brin (queued_on) with (autosummarize = on);

-- What each table held on each day, for the growth that `starpost status` shows.
create table table_sizes (
  day date not null,
  name text not null,
  bytes bigint not null,
  rows bigint not null,
  primary key (day, name)
);
