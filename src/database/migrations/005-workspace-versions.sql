-- A workspace has a version like the things in it.
alter table workspaces add column settings_version bigint not null default 0;
