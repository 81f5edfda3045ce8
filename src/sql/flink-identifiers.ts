/** Reserved words of the grammars of Flink 2.2 and 1.20, by the parsers' own account. */
const RESERVED = new Set(
  `abs all allocate allow alter and any are array array_concat_agg array_max_cardinality as asensitive
  asymmetric at atomic authorization avg begin begin_frame begin_partition between bigint binary bit
  blob boolean both buckets by bytes call called cardinality cascaded case cast catalogs ceil ceiling
  char char_length character character_length check classifier clob close coalesce collate collect
  column comment commit condition connect constraint contains contains_substr continuous convert corr
  corresponding count covar_pop covar_samp create cross cube cume_dist current current_catalog
  current_date current_default_transform_group current_path current_role current_row current_schema
  current_time current_timestamp current_transform_group_for_type current_user cursor cycle databases
  date date_trunc datetime datetime_trunc day deallocate dec decimal declare default define delete
  dense_rank deref describe deterministic disallow disconnect distinct distributed distribution dot
  double drop dynamic each element else empty end end_frame end_partition equals escape every except
  exec execute exists exp explain extend extended external extract false fetch filter first_value
  float floor for foreign frame_row free freshness friday from full function functions fusion get
  global grant group group_concat grouping groups hash having hold hour identity ilike import in
  include indicator initial inner inout insensitive insert int integer intersect intersection
  interval into is join json_array json_arrayagg json_exists json_object json_objectagg json_query
  json_scope json_value lag language large last_value lateral lead leading left like like_regex limit
  ln local localtime localtimestamp lower match match_number match_recognize matches materialized max
  measures member merge method min minus minute mod model models modifies modify module modules monday
  month multiset national natural nchar nclob new next no none normalize not nth_value ntile null
  nullif numeric occurrences_regex octet_length of offset old omit on one only open or order ordinal
  out outer over overlaps overlay parameter partition pattern per percent percent_rank
  percentile_cont percentile_disc period permute pivot portion position position_regex power precedes
  precision prepare prev primary procedure procedures qualify quarters range rank raw reads real
  recursive ref references referencing refresh refresh_mode regr_avgx regr_avgy regr_count
  regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy release rename reset result resume
  return returns revoke right rlike rollback rollup row row_number rows running safe_cast safe_offset
  safe_ordinal saturday savepoint scala scope scroll search second seek select sensitive separator
  session_user set show similar skip smallint some specific specifictype sql sqlexception sqlstate
  sqlwarning sqrt start statement static stddev_pop stddev_samp stream string string_agg structured
  submultiset subset substring substring_regex succeeds sum sunday suspend symmetric system
  system_time system_user table tables tablesample then thursday time time_diff time_trunc timestamp
  timestamp_diff timestamp_ltz timestamp_trunc timezone_hour timezone_minute tinyint to trailing
  translate translate_regex translation treat trigger trim trim_array true truncate try_cast tuesday
  uescape union unique unknown unnest unpivot update upper upsert use user using value value_of
  values var_pop var_samp varbinary varchar variant varying versioning views watermark watermarks
  wednesday weeks when whenever where width_bucket window with within without year`.split(/\s+/),
);

/** A name as Flink takes it: plain, or in backticks where it is a reserved word. */
export function flinkIdentifier(name: string): string {
  return RESERVED.has(name) ? `\`${name}\`` : name;
}
