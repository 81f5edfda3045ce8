import {
  COLUMN_TYPES,
  type MessageStep,
  type PgRecord,
  type ReplicaIdentity,
  type Step,
  TOKEN_END,
} from '../../src/model/history/index.ts';
import { part, pick } from './draw.ts';
import type { HistoryProfile, StepKind } from './profile.ts';
import { pickColumns, RowWriter } from './row-writer.ts';
import { partly } from './table-shapes.ts';
import type { TableState } from './table-state.ts';
import type { World } from './world.ts';

/** The draws behind one step: which connection, what it does, and to what. */
export interface StepCode {
  readonly connection: number;
  readonly kind: number;
  readonly target: number;
  readonly values: number;
}

const SAVEPOINTS = ['s', 's', 'deep', 'early'];
const PREFIXES = ['tide', '', 'Größe 🚀', "'; --"];
/** What follows the token in a message: bytes of any kind, also none. */
const TAILS = ['', 'plain', '\0\u00ff\u00c3(', '🚀'.repeat(3), 'x'.repeat(900)];

/** Turns draws into steps that the world admits, none where what was drawn cannot be done. */
export class StepMaker {
  readonly #profile: HistoryProfile;
  readonly #world: World;
  readonly #writer: RowWriter;
  #added = 0;

  constructor(profile: HistoryProfile, world: World) {
    this.#profile = profile;
    this.#world = world;
    this.#writer = new RowWriter(profile);
  }

  /** Runs the steps of a code and returns them. */
  run(connections: number, code: StepCode): readonly Step[] {
    const connection = code.connection % connections;
    const kind = pick(this.#profile.steps, code.kind);
    const made = this.#run(this.#make(connection, kind, code));
    return made.length > 0 ? made : this.#run(this.#make(connection, 'insert', code));
  }

  #run(steps: readonly Step[]): readonly Step[] {
    const run: Step[] = [];
    for (const step of steps) {
      if (!this.#world.admits(step)) break;
      this.#world.run(step);
      run.push(step);
    }
    return run;
  }

  #make(connection: number, kind: StepKind, { target, values }: StepCode): readonly Step[] {
    const world = this.#world;
    const table = pick(world.tables, part(target, 0));
    switch (kind) {
      case 'begin':
      case 'commit':
      case 'rollback':
        return [{ do: kind, connection }];
      case 'commit-all':
        return world.openConnections().map((each) => ({ do: 'commit', connection: each }));
      case 'savepoint':
        return [{ do: kind, connection, name: pick(SAVEPOINTS, target) }];
      case 'rollback-to':
      case 'release': {
        const names = world.savepoints(connection);
        return names.length === 0 ? [] : [{ do: kind, connection, name: pick(names, target) }];
      }
      case 'insert':
        return optional(
          this.#writer.insert(connection, table, pick(this.#profile.rows, part(target, 1)), values),
        );
      case 'update':
        return this.#onRow(table, connection, target, (row) => [
          this.#writer.update(connection, table, row, values),
        ]);
      case 'move':
        // Where deletes are not published a row would move to where the sink still has another.
        if (table.definition.name === partly.name) return [];
        return this.#onRow(table, connection, target, (row) =>
          optional(this.#writer.move(connection, table, row, values)),
        );
      case 'delete':
      case 'reinsert':
        return this.#onRow(table, connection, target, (row) => {
          const key = pickColumns(row, table.definition.key);
          const gone: Step = { do: 'delete', connection, table: table.definition.name, key };
          return kind === 'delete'
            ? [gone]
            : [gone, this.#writer.insertAgain(connection, table, row, values)];
        });
      case 'truncate': {
        const names = world.tables.map(({ definition }) => definition.name);
        const others = names.filter((name) => name !== table.definition.name);
        const isOne = others.length === 0 || values % 2 === 0;
        return [
          {
            do: kind,
            connection,
            tables: [table.definition.name, ...(isOne ? [] : [pick(others, part(values, 1))])],
          },
        ];
      }
      case 'message':
        return [this.#message(connection, true, values)];
      case 'bare-message':
        return [this.#message(connection, false, values)];
      case 'message-commit':
        return world.isOpen(connection)
          ? [this.#message(connection, false, values), { do: 'commit', connection }]
          : [];
      case 'add-column': {
        const type = pick(COLUMN_TYPES, part(values, 0));
        const column = { name: `Added ${++this.#added}`, type, nullable: true, toast: false };
        return [{ do: kind, connection, table: table.definition.name, column }];
      }
      case 'drop-column': {
        const names = table.definition.columns
          .map(({ name }) => name)
          .filter((name) => table.isDroppable(name));
        if (names.length === 0) return [];
        return [{ do: kind, connection, table: table.definition.name, column: pick(names, part(values, 0)) }];
      }
      case 'set-identity':
        return [
          { do: kind, connection, table: table.definition.name, identity: anotherIdentity(table, values) },
        ];
    }
  }

  /** What is done to a row of the table that the connection may touch, the drawn one or the next. */
  #onRow(
    table: TableState,
    connection: number,
    draw: number,
    make: (row: PgRecord) => readonly Step[],
  ): readonly Step[] {
    const rows = [...table.rows.values()];
    const start = rows.length === 0 ? 0 : part(draw, 2) % rows.length;
    const row = [...rows.slice(start), ...rows.slice(0, start)].find((candidate) =>
      table.uniqueTexts(candidate).every((unique) => table.isFree(unique, connection)),
    );
    return row === undefined ? [] : make(row);
  }

  #message(connection: number, transactional: boolean, draw: number): MessageStep {
    const tail = new TextEncoder().encode(pick(TAILS, part(draw, 1)));
    const token = `${this.#writer.token()}${TOKEN_END}`;
    const content = btoa(token + Array.from(tail, (byte) => String.fromCharCode(byte)).join(''));
    return { do: 'message', connection, transactional, prefix: pick(PREFIXES, part(draw, 0)), content };
  }
}

function anotherIdentity({ definition }: TableState, draw: number): ReplicaIdentity {
  const choices: readonly ReplicaIdentity[] = [
    { kind: 'full' },
    { kind: 'default' },
    ...definition.indexes.map(({ name }): ReplicaIdentity => ({ kind: 'index', index: name })),
  ];
  return pick(
    choices.filter(({ kind }) => kind === 'index' || kind !== definition.identity.kind),
    draw,
  );
}

function optional(step: Step | undefined): readonly Step[] {
  return step === undefined ? [] : [step];
}
