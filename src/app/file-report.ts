// The seam for a report of a file: the feature that imports files hands in how its apps are read.
import type { Container } from "./container.ts";

export type ReportFile = { name: string; bytes: Uint8Array };

/**
 * Imports a file into apps of a workspace that are not collected.
 *
 * @returns what could not be imported, in sentences
 * @throws AppError `invalid_input` for a file without reviews
 */
export type FileReport = (
  deps: Container,
  input: { file: ReportFile; workspaceId: string; onProgress: (text: string) => void },
) => Promise<string[]>;

/** At most one. */
export const fileReports: (() => Promise<FileReport>)[] = [];
