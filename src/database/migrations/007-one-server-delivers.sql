-- The delivery side stays on one server, so its rows need no place. docs/adr/0093-one-server-delivers.md
do $$
begin
  if (select is_distributed or missing_keys is not null from distribution) then
    raise exception 'this database is spread over servers as by an earlier version: restore a backup on one server, migrate, and distribute it again';
  end if;
end $$;

alter table channel_queue drop column bucket, add primary key (channel_id);
create index channel_queue_due on channel_queue (is_failing, next_due_at) where next_due_at < 'infinity';
alter table channel_health drop column bucket, add primary key (channel_id);
alter table channel_reviews drop column bucket, add primary key (channel_id, review_id);
alter table pending drop column bucket, add primary key (channel_id, id);
alter table deliveries drop column bucket, add primary key (id);
alter table ended_deliveries drop column bucket, add primary key (channel_id, id);
alter table attempts drop column bucket, add primary key (delivery_id, number);
alter table distribution drop column bucket_count;
drop function bucket_of(uuid, integer);
