// Own topics in the statements of pages and counts. A statement without them is written without this.

/** Of a review: its topics with those of the workspace `$1`, sorted, each once. */
export function allTopics(review: { topics: string; appId: string; id: string }): string {
  return `array(select u.topic from (
      select unnest(${review.topics}) union
      select t.name from own_topic_reviews o join own_topics t on t.id = o.topic_id
      where o.app_id = ${review.appId} and o.review_id = ${review.id} and t.workspace_id = $1
    ) u (topic) order by u.topic collate "C")`;
}

/** The id of the workspace's topic of this name; null without one. */
export function ownTopicId(name: string): string {
  return `(select id from own_topics where workspace_id = $1 and name = ${name})`;
}

/** Whether a review has one of the named topics of the workspace `$1`, built-in or its own. */
export function hasTopic(
  review: { topics: string; appId: string; id: string },
  names: string,
): string {
  const own = `own_topics t where t.workspace_id = $1 and t.name = any(${names}::text[])`;
  // The first is looked up once: without such a topic there is nothing to look for in each review. The second has a
  // limit, so that it is one lookup for each review: PostgreSQL would rather read all that any review has.
  return `(${review.topics} && ${names}::text[] or ((select count(*) > 0 from ${own}) and (
      select true from own_topic_reviews o where o.app_id = ${review.appId} and o.review_id = ${review.id}
        and o.topic_id = any(array(select t.id from ${own})) limit 1
    )))`;
}
