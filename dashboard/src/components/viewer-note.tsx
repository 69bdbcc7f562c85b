// Says to a viewer why a page has fewer buttons than for others; members see nothing of it.
import { useWorkspace } from "../api/workspace.ts";
import { Alert } from "./feedback.tsx";

export function ViewerNote({ children }: { children: string }) {
  const { isViewer } = useWorkspace();
  return isViewer ? <Alert>You are a viewer here. {children}</Alert> : null;
}
