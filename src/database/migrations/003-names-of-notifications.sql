-- Processes notify each other under names that begin with this. Every role may notify and listen: a SQL user who knew the
-- names could wake all workers without end.
alter table distribution add column notification_prefix text;
update distribution set notification_prefix = 'starpost_' || replace(gen_random_uuid()::text, '-', '') || '_';
alter table distribution alter column notification_prefix set not null;
