// A role of PostgreSQL that reads one workspace by the SQL views.
export type SqlUser = {
  id: string;
  workspaceId: string;
  name: string;
  role: string;
  createdAt: Date;
};
