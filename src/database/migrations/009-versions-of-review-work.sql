-- The work on a review has a version, like other things that people and programs change.
alter table review_work add column settings_version bigint not null default 0;
-- The author of a note that no user wrote: an API key or the operator.
alter table review_notes add column author_name text;
