// The channel's filters over what waits for it, as a condition of SQL: a channel can be edited at any
// moment before a delivery is on the wire.

/**
 * Whether a channel `c` still wants the delivery `d`. An update is wanted whatever the filters say:
 * its review was announced. A test is wanted always, a digest while the channel has digests.
 */
export const isWanted = `(d.is_test or (d.event = 'digest' and c.digest is not null) or (d.event = any(c.events) and (d.event = 'review.updated' or (
    (c.apps is null or d.app_id is null or d.app_id = any(c.apps))
    and (c.stars is null or d.rating is null or d.rating = any(c.stars))
    and (c.topics is null or d.topics is null or d.topics && c.topics)
  ))))`;
