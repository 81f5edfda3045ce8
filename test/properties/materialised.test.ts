import { materialisedQueries } from '../../src/queries/materialised.ts';
import { agreesOnRandomDatasets } from '../support/random-datasets.ts';

agreesOnRandomDatasets(materialisedQueries);
