// SQL users in tests.
import * as sqlUsers from "../../src/features/sql-users/operations.ts";
import { act, type Deps } from "./operations.ts";

export const createSqlUser = (deps: Deps, values: { workspaceId: string; name: string }) =>
  act(deps, sqlUsers.createSqlUser, values);
export const removeSqlUser = (deps: Deps, place: { id: string }) =>
  act(deps, sqlUsers.removeSqlUser, place);
