-- A second factor at the sign-in: one-time codes of an app (TOTP), and recovery codes for a lost phone.
create table second_factors (
  -- The user's.
  id uuid primary key references users on delete cascade,
  encrypted_secret bytea not null,
  key_id text not null references encryption_keys,
  created_at timestamptz not null,
  -- null until a first code showed that the user's app has the secret.
  confirmed_at timestamptz,
  -- The 30 seconds whose code was used last: it, and what is older, is not accepted again.
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id uuid not null references second_factors on delete cascade,
  -- SHA-256; each is used once.
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- When the user last entered password and code in this session: what is dangerous asks for them again.
alter table sessions add column proved_at timestamptz;
update sessions set proved_at = started_at;
alter table sessions alter column proved_at set not null;
