import { InputError } from '../model/errors.ts';
import { QUERY_VERSION, type QueryDefinition, querySchema } from '../model/query.ts';
import { queries, querySets } from '../queries/index.ts';
import { readJsonFile } from '../streams/json-file.ts';

/** A declared query by its name, or one from a JSON file. @throws InputError naming what is wrong and what there is. */
export async function loadQuery(nameOrFile: string): Promise<QueryDefinition> {
  const declared = queries.get(nameOrFile);
  if (declared !== undefined) return declared;
  if (nameOrFile.endsWith('.json')) return readJsonFile(nameOrFile, querySchema, QUERY_VERSION);
  throw new InputError(
    `no query ${nameOrFile}; there are ${[...queries.keys()].join(', ')}, or the path of a .json file`,
  );
}

/** All queries of a set, in its order. */
export function loadSet(name: string): readonly QueryDefinition[] {
  const set = querySets.get(name);
  if (set === undefined)
    throw new InputError(`no set ${name}; there are ${[...querySets.keys()].join(', ')}`);
  return set;
}
