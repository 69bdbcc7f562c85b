-- What a workspace notes about reviews, and the views that it keeps. By the review's own id, which is the same in
-- every listing of the app: an import or a new source loses nothing.
create table review_work (
  workspace_id uuid not null references workspaces on delete cascade,
  review_id uuid not null,
  tags text[] not null default '{}',
  assignee_id uuid references users on delete set null,
  primary key (workspace_id, review_id)
);
create index review_work_by_assignee on review_work (assignee_id) where assignee_id is not null;

create table review_notes (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  review_id uuid not null,
  author_id uuid references users on delete set null,
  text text not null,
  created_at timestamptz not null
);
create index review_notes_by_review on review_notes (workspace_id, review_id, id);
create index review_notes_by_author on review_notes (author_id) where author_id is not null;

create table saved_views (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  -- Search parameters of the Reviews page.
  query text not null,
  created_at timestamptz not null,
  unique (workspace_id, name)
);
