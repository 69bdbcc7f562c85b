-- A key can end by itself, and shows from where it was used last.
alter table api_keys add column ends_at timestamptz;
alter table api_keys add column last_used_address text;
