-- When a member last looked at the Overview, and when they were there before this visit.
alter table members
  add column visited_at timestamptz,
  add column previous_visit_at timestamptz;
