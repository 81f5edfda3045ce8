import { agreesOnHalfOfTheDatasets } from '../support/random-datasets.ts';

agreesOnHalfOfTheDatasets(0);
