-- The second design of the delivery queue: what is delivered is written once and never changed, what waits
-- stands in a narrow table that a success deletes from, and one process at a time holds a channel.
-- Why, with figures: docs/adr/0013-delivery-queue.md.

-- Large installations move millions of rows here; the pool's limit is for ordinary statements.
set local statement_timeout = 0;

-- Goes up with every edit, rotation, redelivery and cancellation. Whoever read a channel's deliveries and
-- finds the same version right before signing knows that all of them are still wanted.
alter table channels add column version bigint not null default 1;

-- The secret before the last rotation: its signature is sent beside the new one until then. The id is the
-- channel's.
create table channel_old_secrets (
  id uuid primary key references channels on delete cascade,
  encrypted_secret bytea not null,
  key_id text not null references encryption_keys,
  ends_at timestamptz not null
);

-- Processes that deliver. A row ends with its process: it holds an advisory lock on its number, renews the
-- end of its lease, and whoever finds both gone deletes the row and frees its channels.
create table delivery_workers (
  id integer generated always as identity primary key,
  leased_until timestamptz not null
);

-- Channels whose row is gone and whose deliveries are deleted in batches.
create table deleted_channels (
  channel_id uuid primary key,
  deleted_at timestamptz not null
);

-- Millions of these can hang on one channel: they go in batches, too.
alter table channel_reviews drop constraint channel_reviews_channel_id_fkey;

-- Tables of the delivery side carry a bucket, a hash of the channel, so that a distributed PostgreSQL can
-- place them. There is one bucket by default.
alter table channel_queue
  add column bucket smallint not null default 0,
  -- The process that holds the channel, a row of delivery_workers. While it is held, next_due_at says
  -- since when there is something that the holder has not looked for.
  add column lease_owner integer;
alter table channel_queue drop constraint channel_queue_pkey;
alter table channel_queue add primary key (channel_id, bucket);
drop index channel_queue_due;
-- A partial index is used by those alone who name its condition: whoever looks for one channel must not be led
-- through all of them by a plan from when there were few. A held channel without anything new is not in it.
create index channel_queue_due on channel_queue (bucket, is_failing, next_due_at)
  where next_due_at < 'infinity';

-- What waits. Claiming changes nothing here.
create table pending (
  bucket smallint not null default 0,
  channel_id uuid not null,
  id uuid not null,
  -- First attempts and retries stand in line separately, so that neither waits behind the other.
  is_retry boolean not null default false,
  -- Its body may still get a translation; the first attempt, or the translation, ends that.
  is_draft boolean not null default false,
  due_at timestamptz not null,
  -- Start of the give-up window; a redelivery opens a new one.
  queued_at timestamptz not null,
  attempt_count integer not null default 0,
  -- Attempts in this give-up window.
  retry_count integer not null default 0,
  primary key (channel_id, id, bucket)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- Partial for the same reason: it holds every row.
create index pending_by_due on pending (channel_id, is_retry, due_at, id)
  where due_at > '-infinity';
create index pending_drafts on pending (id) where is_draft;

-- A claim may have counted an attempt that nobody saw the end of.
insert into pending (channel_id, id, is_retry, is_draft, due_at, queued_at, attempt_count, retry_count)
select d.channel_id, d.id, d.is_retry,
  d.attempt_count = 0 and d.due_at > now() and d.lease_token is null
    and exists (select from translation_waits w where w.delivery_id = d.id),
  d.due_at, d.queued_at, d.attempt_count - (d.lease_token is not null)::integer,
  d.retry_count - (d.lease_token is not null)::integer
from deliveries d where d.status = 'pending';

insert into channel_queue (channel_id, next_due_at, is_failing, host)
select p.channel_id, min(p.due_at), c.failing_since is not null, c.host
from pending p join channels c on c.id = p.channel_id
group by p.channel_id, c.failing_since, c.host
on conflict (channel_id, bucket) do update set
  next_due_at = least(channel_queue.next_due_at, excluded.next_due_at);

-- The tables so far become the first partitions: no row is copied.
drop trigger attempts_go_along on deliveries;
drop function delete_attempts();
alter table deliveries rename to deliveries_first;
alter table attempts rename to attempts_first;

-- What ended in another way than delivered.
create table ended_deliveries (
  bucket smallint not null default 0,
  channel_id uuid not null,
  id uuid not null,
  status text not null check (status in ('expired', 'cancelled')),
  finished_at timestamptz not null,
  attempt_count integer not null,
  primary key (channel_id, id, bucket)
) partition by range (id);
create table ended_deliveries_first (like ended_deliveries including all);
insert into ended_deliveries_first (channel_id, id, status, finished_at, attempt_count)
select channel_id, id, status, coalesce(finished_at, now()), attempt_count
from deliveries_first where status in ('expired', 'cancelled');

drop index deliveries_pending;
drop index deliveries_by_channel;
alter table deliveries_first
  drop constraint deliveries_pkey,
  drop constraint deliveries_channel_id_fkey,
  drop constraint deliveries_workspace_id_fkey,
  drop column status,
  drop column queued_at,
  drop column due_at,
  drop column is_retry,
  drop column attempt_count,
  drop column retry_count,
  drop column lease_token,
  drop column leased_until,
  drop column finished_at,
  add column bucket smallint not null default 0,
  reset (fillfactor, toast_tuple_target, autovacuum_vacuum_scale_factor);

-- Written once. Only a draft's body is replaced, once, before anybody reads it for sending.
create table deliveries (
  -- Version 7: in the order in which they were queued.
  id uuid not null,
  channel_id uuid not null,
  workspace_id uuid not null,
  app_id uuid,
  review_id uuid,
  event text not null,
  -- Of a review.created, what the channel's filters were asked about: they can change while it waits.
  rating smallint,
  topics text[],
  body bytea not null,
  is_test boolean not null,
  created_at timestamptz not null,
  bucket smallint not null default 0,
  primary key (id, bucket)
) partition by range (id);
alter table deliveries alter column body set storage external;
create index deliveries_by_channel on deliveries (channel_id, id);

alter table attempts_first
  drop constraint attempts_pkey,
  add column bucket smallint not null default 0;
-- Failures, answers with a body, and whatever was not delivered at the first attempt.
create table attempts (
  delivery_id uuid not null,
  -- Counts from 1.
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- HTTP status, or null when there was no answer; reason then says why.
  status integer,
  reason text,
  answer bytea,
  bucket smallint not null default 0,
  primary key (delivery_id, number, bucket)
) partition by range (delivery_id);

-- All other attempts: delivered at the first one, without an answer worth keeping. A row for each channel
-- of a batch of outcomes; the arrays belong together.
create table delivered_pages (
  bucket smallint not null default 0,
  channel_id uuid not null,
  first_id uuid not null,
  last_id uuid not null,
  ids uuid[] not null,
  started_at timestamptz[] not null,
  durations_ms integer[] not null,
  statuses smallint[] not null
) partition by range (last_id);
create index delivered_pages_by_channel on delivered_pages (channel_id, last_id);
create table delivered_pages_first (like delivered_pages including all);

-- The lowest version 7 id of that moment.
create function id_floor(moment timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
$$;

-- Makes the partitions of one day (UTC). One whose place is taken already, by rows of a clock that was
-- wrong, is left out: those rows stand in the partition for everything else.
create function add_delivery_day(day date) returns void language plpgsql as $$
declare
  parent text;
  part text;
begin
  foreach parent in array array['deliveries', 'attempts', 'delivered_pages', 'ended_deliveries'] loop
    part := parent || '_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(part) is not null;
    begin
      execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent,
        id_floor(day::timestamp at time zone 'UTC'), id_floor((day + 1)::timestamp at time zone 'UTC'));
    exception when check_violation or invalid_object_definition then
      raise notice 'there is no place for %', part;
    end;
  end loop;
end $$;

do $$
declare
  today date := (now() at time zone 'UTC')::date;
  bound uuid := id_floor((today + 1)::timestamp at time zone 'UTC');
  parent text;
  key text;
begin
  foreach parent in array array['deliveries', 'attempts', 'delivered_pages', 'ended_deliveries'] loop
    key := case parent when 'attempts' then 'delivery_id' when 'delivered_pages' then 'last_id' else 'id' end;
    execute format('create table %I partition of %I default', parent || '_rest', parent);
    -- Ids of no version 7, or of a clock that was wrong.
    execute format('with moved as (delete from %I where %I >= %L returning *)
      insert into %I (%s) select %s from moved', parent || '_first', key, bound, parent || '_rest',
      (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
        where attrelid = parent::regclass and attnum > 0 and not attisdropped),
      (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
        where attrelid = parent::regclass and attnum > 0 and not attisdropped));
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
      parent, parent || '_first', bound);
  end loop;
  for ahead in 1..3 loop
    perform add_delivery_day(today + ahead);
  end loop;
end $$;
