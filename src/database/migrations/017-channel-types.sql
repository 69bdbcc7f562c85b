-- Channels of other types than webhooks: chat services, e-mail and feeds. docs/adr/0030-channel-types.md.

alter table channels
  add column type text not null default 'webhook'
    check (type in ('webhook', 'slack', 'discord', 'teams', 'telegram', 'email', 'rss')),
  -- A Telegram chat, or e-mail addresses. What is a secret of a destination stands in encrypted_secret; url
  -- then holds the part that people may see.
  add column recipients text[] not null default '{}';
