// The ingest that imports save with, as a type of its own: operations name it, and their types reach the dashboard.
import type { IngestRatings, IngestReviews } from "../ingest/ingest-batch.ts";

export type IngestOfImports = { ingestReviews: IngestReviews; ingestRatings: IngestRatings };
