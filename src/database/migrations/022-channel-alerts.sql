-- What fails or rises unusually is announced once to each channel that chose it. docs/adr/0035-alerts.md.

create table channel_alerts (
  channel_id uuid not null references channels on delete cascade,
  -- What it is about, like `storefront <app> reviews de`.
  cause text not null,
  raised_at timestamptz not null,
  -- When it was last found: one that has ended can be announced again.
  seen_at timestamptz not null,
  primary key (channel_id, cause)
);

-- Looking for what rose reads a month of counts: each channel's apps once an hour, by one process.
alter table channels add column spikes_checked_at timestamptz;
