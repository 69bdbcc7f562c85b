-- When what the read API shows of a review last changed: seen, edited, analysed or translated. Reviews of
-- before this migration count as changed by it, so that whoever asks for changes misses none.
alter table listings add column changed_at timestamptz not null default now();
alter table reviews add column changed_at timestamptz not null default now();
alter table reviews alter column changed_at set default clock_timestamp();
create index reviews_by_change on reviews (listing_id, changed_at, id);

-- The moment of a change, which its transaction announces until it ends: with a shared advisory lock, whose
-- number is the second in which it began. So a reader knows before which moment nothing can appear any more.
-- 7215006 is in advisory-locks.ts.
create function begin_change() returns timestamptz language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(7215006, floor(extract(epoch from clock_timestamp()) - 1577836800)::integer);
  return clock_timestamp();
end $$;

-- All changes of earlier moments are committed, or never will be. The clock is read before the locks: whoever
-- takes one later gets a later moment.
create function changes_complete_until() returns timestamptz language plpgsql volatile as $$
declare
  started timestamptz := clock_timestamp();
  oldest bigint;
begin
  select min(l.objid::bigint) into oldest from pg_locks l
  where l.locktype = 'advisory' and l.classid = 7215006 and l.objsubid = 2
    and l.database = (select d.oid from pg_database d where d.datname = current_database());
  return least(started, to_timestamp(oldest + 1577836800));
end $$;
