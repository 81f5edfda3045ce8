import { perRecordQueries } from '../../src/queries/per-record.ts';
import { agreesOnRandomDatasets } from '../support/random-datasets.ts';

agreesOnRandomDatasets(perRecordQueries);
