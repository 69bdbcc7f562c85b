-- Whose line a feed waits in, so that workspaces take turns at the slots of a lane: that of the follower with the fewest apps.
alter table feeds add column line uuid not null default '00000000-0000-0000-0000-000000000000';
update feeds f set line = l.line
from (
  select distinct on (a.listing_id) a.listing_id, a.workspace_id as line
  from apps a join (select workspace_id, count(*) as app_count from apps group by workspace_id) w using (workspace_id)
  order by a.listing_id, w.app_count, a.workspace_id
) l
where l.listing_id = f.listing_id;
create index feeds_by_line on feeds (store, is_official, is_long, line, next_due_at);
