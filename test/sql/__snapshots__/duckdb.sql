-- q0: Every bid, unchanged
SELECT auction, bidder, price, channel, url, datetime, seq
FROM bid

-- q1: Price of each bid in euro: times 0.908
SELECT auction, bidder, 0.908e0 * CAST(price AS DOUBLE) AS price, datetime, seq
FROM bid

-- q2: Bids on every 123rd auction
SELECT auction, price, seq
FROM bid
WHERE auction % 123 = 0

-- q14: Bids of a middling price, with the time of day and a count of letters
SELECT auction, bidder, price, bid_time_type, datetime, c_count, seq
FROM (
  SELECT
    auction,
    bidder,
    0.908e0 * CAST(price AS DOUBLE) AS price,
    CASE
      WHEN hour(epoch_ms(datetime)) >= 8 AND hour(epoch_ms(datetime)) <= 18 THEN 'dayTime'
      WHEN hour(epoch_ms(datetime)) <= 6 OR hour(epoch_ms(datetime)) >= 20 THEN 'nightTime'
      ELSE 'otherTime'
    END AS bid_time_type,
    datetime,
    length(url) - length(REPLACE(url, 'c', '')) AS c_count,
    seq
  FROM bid
) AS t1
WHERE price > 1000000e0 AND price < 50000000e0

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
      ELSE string_split(url, 'channel_id=')[2]
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
  string_split(url, '/')[4] AS dir1,
  string_split(url, '/')[5] AS dir2,
  string_split(url, '/')[6] AS dir3,
  seq
FROM bid

-- q20: Each bid on an auction of category 10 to 12, with its auction
SELECT
  t1.auction,
  t1.bidder,
  t1.price,
  t1.channel,
  t1.datetime,
  t1.seq,
  t2.item_name,
  t2.category,
  t2.seller,
  t2.opened,
  t2.expires
FROM (
  SELECT auction, bidder, price, channel, url, datetime, seq
  FROM bid
) AS t1
JOIN (
  SELECT id, item_name, category, seller, datetime AS opened, expires
  FROM auction
  WHERE category >= 10 AND category <= 12
) AS t2 ON t1.auction = t2.id

-- q7: The highest bids of every 10 seconds, ties included
SELECT t1.auction, t1.bidder, t1.price, t1.datetime, t1.seq, t2.window_end
FROM (
  SELECT auction, bidder, price, datetime, seq
  FROM bid
) AS t1
JOIN (
  SELECT window_start, window_end, max(price) AS max_price
  FROM (
    SELECT *, datetime - (datetime % 10000 + 10000) % 10000 AS window_start, window_start + 10000 AS window_end
    FROM bid
  ) AS t3
  GROUP BY window_start, window_end
) AS t2 ON t1.price = t2.max_price AND t1.datetime >= t2.window_start AND t1.datetime < t2.window_end

-- q12: Bids of each bidder in every 10 seconds
SELECT window_start, window_end, bidder, count(*) AS bids
FROM (
  SELECT *, datetime - (datetime % 10000 + 10000) % 10000 AS window_start, window_start + 10000 AS window_end
  FROM bid
) AS t1
GROUP BY window_start, window_end, bidder

-- q11: Bids of each bidder in a session that ends after 10 seconds of silence
SELECT window_start, window_end, bidder, count(*) AS bids
FROM (
  SELECT
    *,
    min(datetime) OVER (PARTITION BY bidder, _session) AS window_start,
    max(datetime) OVER (PARTITION BY bidder, _session) + 10000 AS window_end
  FROM (
    SELECT *, sum(_opens) OVER (PARTITION BY bidder ORDER BY datetime) AS _session
    FROM (
      SELECT
        *,
        CASE WHEN datetime - lag(datetime) OVER (PARTITION BY bidder ORDER BY datetime) <= 10000 THEN 0 ELSE 1 END AS _opens
      FROM bid
    ) AS t1
  ) AS t2
) AS t3
GROUP BY window_start, window_end, bidder

-- q15: Bids, bidders and auctions of every 10 seconds
SELECT
  window_start,
  window_end,
  count(*) AS bids,
  count(DISTINCT bidder) AS bidders,
  count(DISTINCT auction) AS auctions
FROM (
  SELECT *, datetime - (datetime % 10000 + 10000) % 10000 AS window_start, window_start + 10000 AS window_end
  FROM bid
) AS t1
GROUP BY window_start, window_end

-- q16: Bids, bidders and auctions of each channel in every 10 seconds
SELECT
  window_start,
  window_end,
  channel,
  count(*) AS bids,
  count(DISTINCT bidder) AS bidders,
  count(DISTINCT auction) AS auctions
FROM (
  SELECT *, datetime - (datetime % 10000 + 10000) % 10000 AS window_start, window_start + 10000 AS window_end
  FROM bid
) AS t1
GROUP BY window_start, window_end, channel

-- q17: Number, least, greatest and average price of the bids on each auction in every 10 seconds
SELECT
  window_start,
  window_end,
  auction,
  count(*) AS bids,
  min(price) AS min_price,
  max(price) AS max_price,
  avg(price_double) AS avg_price
FROM (
  SELECT *, datetime - (datetime % 10000 + 10000) % 10000 AS window_start, window_start + 10000 AS window_end
  FROM (
    SELECT auction, price, CAST(price AS DOUBLE) AS price_double, datetime
    FROM bid
  ) AS t1
) AS t2
GROUP BY window_start, window_end, auction

-- hop: Bids on each auction in the last 10 seconds, every 2 seconds
SELECT window_start, window_end, auction, count(*) AS bids
FROM (
  SELECT
    *,
    unnest(generate_series(datetime - (datetime % 2000 + 2000) % 2000, datetime - 10000 + 1, -2000)) AS window_start,
    window_start + 10000 AS window_end
  FROM bid
) AS t1
GROUP BY window_start, window_end, auction

-- cumulate: Bids on each auction so far in every 10 seconds, told every 2 seconds
SELECT window_start, window_end, auction, count(*) AS bids
FROM (
  SELECT
    *,
    datetime - (datetime % 10000 + 10000) % 10000 AS window_start,
    unnest(generate_series(datetime - (datetime % 2000 + 2000) % 2000 + 2000, window_start + 10000, 2000)) AS window_end
  FROM bid
) AS t1
GROUP BY window_start, window_end, auction

-- q18: The latest bid of each bidder on each auction
SELECT auction, bidder, price, channel, url, datetime, seq
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY datetime DESC, seq DESC) AS _rank
  FROM bid
) AS t1
WHERE _rank <= 1

-- q19: The ten highest bids on each auction
SELECT auction, bidder, price, channel, url, datetime, seq
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC NULLS LAST, datetime DESC, seq DESC) AS _rank
  FROM bid
) AS t1
WHERE _rank <= 10

-- q5: The auction with most bids in the last 10 seconds, every 2 seconds; the least id wins a tie
SELECT window_start, window_end, auction, bids
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY bids DESC, auction ASC NULLS LAST) AS _rank
  FROM (
    SELECT window_start, window_end, auction, count(*) AS bids
    FROM (
      SELECT
        *,
        unnest(generate_series(datetime - (datetime % 2000 + 2000) % 2000, datetime - 10000 + 1, -2000)) AS window_start,
        window_start + 10000 AS window_end
      FROM bid
    ) AS t1
    GROUP BY window_start, window_end, auction
  ) AS t2
) AS t3
WHERE _rank <= 1

-- bidder-totals: Number and sum of the bids of each bidder so far
SELECT bidder, count(*) AS bids, CAST(sum(price) AS BIGINT) AS total
FROM bid
GROUP BY bidder
