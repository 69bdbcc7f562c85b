-- How many pages the last full crawl of a feed took: what reading a store once a day costs.
alter table feeds add column full_page_count integer not null default 0;

-- The lane of a feed, which never changes: whoever looks for due feeds of one lane reads no others.
alter table feeds add column store text;
alter table feeds add column is_official boolean;
update feeds f set store = l.store, is_official = l.credential_id is not null and f.kind = 'reviews'
from listings l where l.id = f.listing_id;
alter table feeds alter column store set not null;
alter table feeds alter column is_official set not null;
drop index feeds_due;
create index feeds_due on feeds (store, is_official, next_due_at);
