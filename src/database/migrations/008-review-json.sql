-- Each review as the read API shows it, written when the review is: from the author on, because id, store and
-- external app id come first and are known to whoever reads a page. A generated column is right however a
-- review is written. Escaping and this way of writing moments depend on no setting of a session, which the
-- functions used here can't promise by themselves.
create function review_json(
  author text, rating smallint, title text, body text, translated_text text, translated_from text,
  version text, country text, date timestamptz, sentiment text, sentiment_score real, topics text[]
) returns text language plpgsql immutable parallel safe as $$
begin
  return '"author":' || to_json(author) || ',"rating":' || rating
    || ',"title":' || coalesce(to_json(title)::text, 'null') || ',"text":' || to_json(body)
    || ',"translatedText":' || coalesce(to_json(translated_text)::text, 'null')
    || ',"translatedFrom":' || coalesce(to_json(translated_from)::text, 'null')
    || ',"version":' || to_json(version) || ',"country":' || to_json(country)
    || ',"date":"' || to_char(date at time zone 'UTC',
      case when date = date_trunc('second', date) then 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
        else 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' end)
    || '","sentiment":' || coalesce(
      '{"label":' || to_json(sentiment) || ',"score":' || coalesce(sentiment_score::text, 'null') || '}', 'null')
    || ',"topics":' || to_json(topics) || '}';
end $$;
alter table reviews add column json text generated always as (
  review_json(author, rating, title, body, translated_text, translated_from, version, country, date,
    sentiment, sentiment_score, topics)
) stored;
