// A channel as statements of several repositories read it.
export const channelColumns = `id, workspace_id as "workspaceId", type, name, url, recipients, events, apps, stars, topics, translate,
  drop_threshold as "dropThreshold", period_days as "periodDays",
  min_sample_size as "minSampleSize", digest, digest_at as "digestAt", time_zone as "timeZone",
  digest_due_at as "digestDueAt", created_at as "createdAt"`;
