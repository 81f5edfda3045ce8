import { windowedQueries } from '../../src/queries/windowed.ts';
import { agreesOnRandomDatasets } from '../support/random-datasets.ts';

agreesOnRandomDatasets(windowedQueries);
