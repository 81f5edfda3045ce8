-- q0: Every bid, unchanged
SELECT auction, bidder, price, channel, url, `datetime`, seq
FROM bid

-- q1: Price of each bid in euro: times 0.908
SELECT auction, bidder, 0.908E0 * CAST(price AS DOUBLE) AS price, `datetime`, seq
FROM bid

-- q2: Bids on every 123rd auction
SELECT auction, price, seq
FROM bid
WHERE MOD(auction, 123) = 0

-- q14: Bids of a middling price, with the time of day and a count of letters
SELECT auction, bidder, price, bid_time_type, `datetime`, c_count, seq
FROM (
  SELECT
    auction,
    bidder,
    0.908E0 * CAST(price AS DOUBLE) AS price,
    CASE
      WHEN MOD(MOD(`datetime`, 86400000) + 86400000, 86400000) / 3600000 >= 8 AND MOD(MOD(`datetime`, 86400000) + 86400000, 86400000) / 3600000 <= 18 THEN 'dayTime'
      WHEN MOD(MOD(`datetime`, 86400000) + 86400000, 86400000) / 3600000 <= 6 OR MOD(MOD(`datetime`, 86400000) + 86400000, 86400000) / 3600000 >= 20 THEN 'nightTime'
      ELSE 'otherTime'
    END AS bid_time_type,
    `datetime`,
    CAST(CHAR_LENGTH(url) AS BIGINT) - CAST(CHAR_LENGTH(REPLACE(url, 'c', '')) AS BIGINT) AS c_count,
    seq
  FROM bid
) AS t1
WHERE price > 1000000E0 AND price < 50000000E0

-- q21: Number of each bid’s channel: by name for the four great ones, else from the url
SELECT auction, bidder, price, channel, channel_id, seq
FROM (
  SELECT
    auction,
    bidder,
    price,
    channel,
    CASE
      WHEN LOWER(channel) = 'apple' THEN '0'
      WHEN LOWER(channel) = 'google' THEN '1'
      WHEN LOWER(channel) = 'facebook' THEN '2'
      WHEN LOWER(channel) = 'baidu' THEN '3'
      ELSE SPLIT_INDEX(url, 'channel_id=', 1)
    END AS channel_id,
    seq
  FROM bid
) AS t1
WHERE channel_id IS NOT NULL

-- q22: The first three directories of each bid’s url
SELECT
  auction,
  bidder,
  price,
  channel,
  SPLIT_INDEX(url, '/', 3) AS dir1,
  SPLIT_INDEX(url, '/', 4) AS dir2,
  SPLIT_INDEX(url, '/', 5) AS dir3,
  seq
FROM bid

-- q20: Each bid on an auction of category 10 to 12, with its auction
SELECT
  t1.auction,
  t1.bidder,
  t1.price,
  t1.channel,
  t1.`datetime`,
  t1.seq,
  t2.item_name,
  t2.category,
  t2.seller,
  t2.opened,
  t2.expires
FROM (
  SELECT auction, bidder, price, channel, url, `datetime`, seq
  FROM bid
) AS t1
JOIN (
  SELECT id, item_name, category, seller, `datetime` AS opened, expires
  FROM auction
  WHERE category >= 10 AND category <= 12
) AS t2 ON t1.auction = t2.id

-- q7: The highest bids of every 10 seconds, ties included
SELECT
  t1.auction,
  t1.bidder,
  t1.price,
  t1.`datetime`,
  t1.seq,
  EXTRACT(EPOCH FROM t2.window_end) * 1000 + EXTRACT(MILLISECOND FROM t2.window_end) AS window_end
FROM (
  SELECT auction, bidder, price, `datetime`, seq
  FROM bid
) AS t1
JOIN (
  SELECT window_start, window_end, MAX(price) AS max_price
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(_rowtime), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end
) AS t2 ON t1.price = t2.max_price AND t1.`datetime` >= EXTRACT(EPOCH FROM t2.window_start) * 1000 + EXTRACT(MILLISECOND FROM t2.window_start) AND t1.`datetime` < EXTRACT(EPOCH FROM t2.window_end) * 1000 + EXTRACT(MILLISECOND FROM t2.window_end)

-- q12: Bids of each bidder in every 10 seconds
SELECT
  EXTRACT(EPOCH FROM window_start) * 1000 + EXTRACT(MILLISECOND FROM window_start) AS window_start,
  EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) AS window_end,
  bidder,
  bids
FROM (
  SELECT window_start, window_end, bidder, COUNT(*) AS bids
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(_rowtime), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end, bidder
) AS t1

-- q11: Bids of each bidder in a session that ends after 10 seconds of silence
SELECT
  EXTRACT(EPOCH FROM window_start) * 1000 + EXTRACT(MILLISECOND FROM window_start) AS window_start,
  EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) AS window_end,
  bidder,
  bids
FROM (
  SELECT window_start, window_end, bidder, COUNT(*) AS bids
  FROM TABLE(SESSION(TABLE bid PARTITION BY (bidder), DESCRIPTOR(_rowtime), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end, bidder
) AS t1

-- q15: Bids, bidders and auctions of every 10 seconds
SELECT
  EXTRACT(EPOCH FROM window_start) * 1000 + EXTRACT(MILLISECOND FROM window_start) AS window_start,
  EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) AS window_end,
  bids,
  bidders,
  auctions
FROM (
  SELECT
    window_start,
    window_end,
    COUNT(*) AS bids,
    COUNT(DISTINCT bidder) AS bidders,
    COUNT(DISTINCT auction) AS auctions
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(_rowtime), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end
) AS t1

-- q16: Bids, bidders and auctions of each channel in every 10 seconds
SELECT
  EXTRACT(EPOCH FROM window_start) * 1000 + EXTRACT(MILLISECOND FROM window_start) AS window_start,
  EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) AS window_end,
  channel,
  bids,
  bidders,
  auctions
FROM (
  SELECT
    window_start,
    window_end,
    channel,
    COUNT(*) AS bids,
    COUNT(DISTINCT bidder) AS bidders,
    COUNT(DISTINCT auction) AS auctions
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(_rowtime), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end, channel
) AS t1

-- q17: Number, least, greatest and average price of the bids on each auction in every 10 seconds
SELECT
  EXTRACT(EPOCH FROM window_start) * 1000 + EXTRACT(MILLISECOND FROM window_start) AS window_start,
  EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) AS window_end,
  auction,
  bids,
  min_price,
  max_price,
  avg_price
FROM (
  SELECT
    window_start,
    window_end,
    auction,
    COUNT(*) AS bids,
    MIN(price) AS min_price,
    MAX(price) AS max_price,
    AVG(price_double) AS avg_price
  FROM TABLE(TUMBLE((
    SELECT auction, price, CAST(price AS DOUBLE) AS price_double, `datetime`, _rowtime
    FROM bid
  ), DESCRIPTOR(_rowtime), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end, auction
) AS t1

-- hop: Bids on each auction in the last 10 seconds, every 2 seconds
SELECT
  EXTRACT(EPOCH FROM window_start) * 1000 + EXTRACT(MILLISECOND FROM window_start) AS window_start,
  EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) AS window_end,
  auction,
  bids
FROM (
  SELECT window_start, window_end, auction, COUNT(*) AS bids
  FROM TABLE(HOP(TABLE bid, DESCRIPTOR(_rowtime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
  GROUP BY window_start, window_end, auction
) AS t1

-- cumulate: Bids on each auction so far in every 10 seconds, told every 2 seconds
SELECT
  EXTRACT(EPOCH FROM window_start) * 1000 + EXTRACT(MILLISECOND FROM window_start) AS window_start,
  EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) AS window_end,
  auction,
  bids
FROM (
  SELECT window_start, window_end, auction, COUNT(*) AS bids
  FROM TABLE(CUMULATE(TABLE bid, DESCRIPTOR(_rowtime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
  GROUP BY window_start, window_end, auction
) AS t1

-- q18: The latest bid of each bidder on each auction
SELECT auction, bidder, price, channel, url, `datetime`, seq
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY `datetime` DESC, seq DESC) AS _rank
  FROM bid
) AS t1
WHERE _rank <= 1

-- q19: The ten highest bids on each auction
SELECT auction, bidder, price, channel, url, `datetime`, seq
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC NULLS LAST, `datetime` DESC, seq DESC) AS _rank
  FROM bid
) AS t1
WHERE _rank <= 10

-- q5: The auction with most bids in the last 10 seconds, every 2 seconds; the least id wins a tie
SELECT
  EXTRACT(EPOCH FROM window_start) * 1000 + EXTRACT(MILLISECOND FROM window_start) AS window_start,
  EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) AS window_end,
  auction,
  bids
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY bids DESC, auction ASC NULLS LAST) AS _rank
  FROM (
    SELECT window_start, window_end, auction, COUNT(*) AS bids
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(_rowtime), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY window_start, window_end, auction
  ) AS t1
) AS t2
WHERE _rank <= 1

-- bidder-totals: Number and sum of the bids of each bidder so far
SELECT bidder, COUNT(*) AS bids, SUM(price) AS total
FROM bid
GROUP BY bidder
