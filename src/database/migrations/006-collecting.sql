-- A page of reviews that looked wrong, until a second reading agrees or shows something else.
alter table feeds add column quarantined_page jsonb;

-- Whether a store stated the date of a review; an assumed one is replaced as soon as it does.
alter table reviews add column is_date_assumed boolean not null default false;
update reviews set is_date_assumed = true where date > first_seen_at + interval '2 days';
-- A high-water mark in the future ended every crawl at its first page.
update feeds set watermark = checked_at where watermark > checked_at;

-- When the next request may go to a host of a store: one pace for all processes, the command line included.
create table store_hosts (
  host text primary key,
  free_at timestamptz not null
);

-- Breakers of one kind of request to a host, or of an account there; closed ones have no row.
create table circuit_breakers (
  name text primary key,
  failure_count integer not null,
  -- How often it opened since the last good response.
  open_count integer not null,
  open_until timestamptz
);
