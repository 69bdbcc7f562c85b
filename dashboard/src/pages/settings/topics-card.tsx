// The topics that the analysis finds, with how many reviews of the last 90 days have each.
import { useApiQuery } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { Link } from "../../components/link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table } from "../../components/table.tsx";
import { topicName } from "../../format/names.ts";
import { formatCount } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";

export function TopicsCard() {
  const overview = useApiQuery("GET /workspaces/:workspace/overview", { query: {} });
  const names = useApiQuery("GET /choices", {}).data?.topics ?? [];
  return (
    <Card
      title="Topics"
      hint="What the analysis looks for in every review, and how often it was found in the last 90 days"
    >
      <QueryView query={overview} height={480} loadingLabel="Counting topics">
        {({ topics, range }) => (
          <Table
            caption="Topics"
            stacked
            rows={[...new Set([...topics.map(({ topic }) => topic), ...names])]}
            rowKey={(topic) => topic}
            columns={[
              {
                header: "Topic",
                cell: (topic) => (
                  <Link href={reviewsPath({ topic, ...range })}>{topicName(topic)}</Link>
                ),
              },
              { header: "Name in the API", cell: (topic) => <code>{topic}</code> },
              {
                header: "Reviews",
                cell: (topic) => formatCount(topics.find((one) => one.topic === topic)?.count ?? 0),
                alignEnd: true,
              },
              {
                header: "Negative",
                cell: (topic) =>
                  formatCount(topics.find((one) => one.topic === topic)?.sentiment.negative ?? 0),
                alignEnd: true,
              },
            ]}
          />
        )}
      </QueryView>
    </Card>
  );
}
