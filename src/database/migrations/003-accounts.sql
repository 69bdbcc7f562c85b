-- People, how they sign in, and what the dashboard shows beside the reviews.

create table users (
  id uuid primary key,
  -- Lower case: one person per address.
  email text not null unique,
  name text not null,
  -- scrypt, with its costs and salt.
  password_hash text not null,
  created_at timestamptz not null,
  -- The workspace that was chosen last.
  workspace_id uuid references workspaces on delete set null
);

create table members (
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'member')),
  joined_at timestamptz not null,
  primary key (workspace_id, user_id)
);
create index members_by_user on members (user_id);

create table sessions (
  id uuid primary key,
  -- SHA-256: who reads the table can't sign in with it.
  token_hash bytea not null unique,
  user_id uuid not null references users on delete cascade,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ends_at timestamptz not null,
  address text not null,
  browser text not null
);
create index sessions_by_user on sessions (user_id);

create table invitations (
  id uuid primary key,
  token_hash bytea not null unique,
  workspace_id uuid not null references workspaces on delete cascade,
  -- null: whoever has the link.
  email text,
  role text not null check (role in ('owner', 'member')),
  invited_by uuid not null references users on delete cascade,
  created_at timestamptz not null,
  ends_at timestamptz not null
);
create index invitations_by_workspace on invitations (workspace_id);

-- Links that make the first person; all of them go when one was used.
create table setup_links (
  token_hash bytea primary key,
  ends_at timestamptz not null
);

-- Tries to sign in, counted in stretches of time: by account, by address, and by both.
create table sign_in_tries (
  key text primary key,
  try_count integer not null,
  ends_at timestamptz not null
);

-- Accepted requests of API keys by UTC day.
create table key_days (
  key_id uuid not null references api_keys on delete cascade,
  day date not null,
  request_count integer not null,
  primary key (key_id, day)
);

-- The day of the oldest review that was ever seen of each version of an app: when it came out, as far
-- as reviews can tell. An observation, not a count: it stays when the review moves on.
create table app_versions (
  listing_id uuid not null references listings on delete cascade,
  version text not null,
  first_day date not null,
  primary key (listing_id, version)
);
create index app_versions_by_day on app_versions (listing_id, first_day);
insert into app_versions (listing_id, version, first_day)
  select listing_id, version, min((date at time zone 'UTC')::date) from reviews
  where version <> '' group by listing_id, version;
