-- Every attempt is a row of `attempts`: the pages of deliveries that arrived at the first attempt become rows.
insert into attempts (bucket, delivery_id, number, started_at, duration_ms, status)
select g.bucket, t.id, 1, t.started_at, t.duration_ms, t.status
from delivered_pages g
cross join lateral unnest(g.ids, g.started_at, g.durations_ms, g.statuses) as t (id, started_at, duration_ms, status)
on conflict do nothing;
drop table delivered_pages;

create or replace function add_delivery_day(day date) returns void language plpgsql as $$
declare
  parent text;
  part text;
begin
  foreach parent in array array['deliveries', 'attempts', 'ended_deliveries'] loop
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
