-- A name, genre or version that looks wrong waits for the reading of a second day: what was read, and when first.
alter table listings add column pending_details text;
alter table listings add column pending_since timestamptz;
