// Shows what a query has fetched: a placeholder while it loads, and its error with a button to try again.
import type { ReactNode } from "react";
import { RequestError } from "../api/http-request.ts";
import { Page } from "./card.tsx";
import { ErrorAlert, Skeleton } from "./feedback.tsx";

type QueryState<Data> = {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  isError: boolean;
  refetch: () => unknown;
};

type QueryViewProps<Data> = {
  query: QueryState<Data>;
  /** The text for screen readers while it loads. */
  loadingLabel: string;
  /** The height of the placeholder in pixels: about as high as the content, so that nothing moves. */
  height: number;
  children: (data: Data) => ReactNode;
};

/** After a failed refetch the error stands above the data of the time before. */
export function QueryView<Data>(props: QueryViewProps<Data>) {
  const { query, loadingLabel, height, children } = props;
  return (
    <>
      {query.isPending ? <Skeleton height={height} label={loadingLabel} /> : null}
      {query.isError ? (
        <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  );
}

type QueryPageProps = Omit<QueryViewProps<unknown>, "children"> & {
  title: string;
  lead?: ReactNode;
};

/** The page of one thing until it is there. Only the service can say that there is none: any other failure may pass. */
export function QueryPage({ title, lead, ...view }: QueryPageProps) {
  const { error } = view.query;
  const isMissing = error instanceof RequestError && error.status === 404;
  return (
    <Page title={isMissing ? `${title} not found` : title} lead={lead}>
      {isMissing ? <ErrorAlert error={error} /> : <QueryView {...view}>{() => null}</QueryView>}
    </Page>
  );
}
