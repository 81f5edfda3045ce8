import { columnsRead } from '../model/expression.ts';
import type { Aggregate } from '../model/plan/aggregate.ts';
import type { Filter } from '../model/plan/filter.ts';
import type { Plan } from '../model/plan/index.ts';
import type { Join } from '../model/plan/join.ts';
import type { Project } from '../model/plan/project.ts';
import type { Rank } from '../model/plan/rank.ts';
import type { Relation } from '../model/plan/relation.ts';
import type { CheckedQuery } from '../model/query.ts';
import { columnIndex } from '../model/schema.ts';
import type { Type } from '../model/type.ts';
import type { Build, Dialect, DialectForms } from './dialect.ts';
import { type ExpressionRenderer, expressionRenderer } from './expression.ts';
import { atom, column, Level, within } from './fragment.ts';
import { checkFilterUnderWindow, groupByWindow, type Projected, projectUnderWindow } from './group-window.ts';
import { type Item, itemOf, print, type Select, selectAll, subquery } from './select.ts';
import { type Rendered, UnsupportedForm } from './unsupported.ts';

/** A dialect from its forms. */
export function dialectOf(name: string, forms: DialectForms): Dialect {
  return { name, select: (query) => render(forms, query) };
}

function render(forms: DialectForms, query: CheckedQuery): Rendered {
  try {
    return { kind: 'sql', sql: new Renderer(forms, query).render() };
  } catch (error) {
    if (error instanceof UnsupportedForm) return { kind: 'unsupported', reason: error.message };
    throw error;
  }
}

/** Name of the column that ranks rows. No column of a user's can have it: names start with a letter. */
const RANK = '_rank';

class Renderer implements Build {
  readonly #forms: DialectForms;
  readonly #query: CheckedQuery;
  #aliases = 0;

  constructor(forms: DialectForms, query: CheckedQuery) {
    this.#forms = forms;
    this.#query = query;
  }

  render(): string {
    const select = this.#select(this.#query.plan);
    const finished = this.#forms.finish?.(select, this.#query.columns, this) ?? select;
    return this.#print(finished);
  }

  derived(select: Select): Select {
    const from = subquery(this.#print(select), this.#alias());
    return this.#selectAll(
      select.items.map(({ name }) => name),
      from,
    );
  }

  extend(select: Select, extras: readonly Item[]): Select {
    // A column that the items left out is still in the star: it must not stand in an extra's way.
    const hidden = extras.some(({ name }) => select.star?.includes(name));
    const input =
      select.star !== undefined && !hidden && select.sealed === undefined ? select : this.derived(select);
    const names = input.items.map(({ name }) => name);
    const extended = { ...input, items: [{ name: '*', value: atom('*') }, ...extras] };
    const from = subquery(this.#print(extended), this.#alias());
    return this.#selectAll([...names, ...extras.map(({ name }) => name)], from);
  }

  #select(plan: Plan): Select {
    switch (plan.op) {
      case 'scan':
        return this.#selectAll(
          this.#query.relationOf(plan).columns.map(({ name }) => name),
          this.#forms.identifier(plan.stream),
        );
      case 'filter':
        return this.#filter(plan);
      case 'project':
        return this.#project(plan);
      case 'window': {
        const { eventTime } = this.#query.relationOf(plan.input);
        return this.#forms.window(this.#select(plan.input), plan.window, eventTime!, this);
      }
      case 'aggregate':
        return this.#aggregate(plan);
      case 'rank':
        return this.#rank(plan);
      case 'join':
        return this.#join(plan);
    }
  }

  #filter(plan: Filter): Select {
    const input = this.#select(plan.input);
    if (input.groupWindow !== undefined) {
      checkFilterUnderWindow(input, input.groupWindow, columnsRead(plan.where));
    }
    const open = input.sealed ? this.derived(input) : this.#open(input, columnsRead(plan.where));
    const condition = this.#expressions(plan.input, open).condition(plan.where);
    return { ...open, where: [...open.where, within(condition, Level.and)] };
  }

  #project(plan: Project): Select {
    const input = this.#select(plan.input);
    const reads = plan.columns.flatMap(({ value }) => columnsRead(value));
    const columnsOnly = plan.columns.every(({ value }) => 'col' in value);
    const items = (select: Select): Projected[] => {
      const expressions = this.#expressions(plan.input, select);
      return plan.columns.map(({ as, value }) => ({
        name: as,
        value: expressions.value(value),
        reads: columnsRead(value),
      }));
    };
    if (input.groupWindow !== undefined) {
      return projectUnderWindow(input, input.groupWindow, items(input), this);
    }
    // The columns of a grouping SELECT may be chosen and renamed in place, as long as it keeps an aggregate.
    const keepsAggregate = reads.some((name) => !itemOf(input, name).value.column);
    const open =
      input.groupBy !== undefined && columnsOnly && keepsAggregate ? input : this.#open(input, reads);
    const chosen = items(open);
    const { star, ...rest } = open;
    const same = chosen.every(({ name, value }) => value.text === this.#forms.identifier(name));
    return { ...rest, items: chosen, ...(same && star !== undefined ? { star } : {}) };
  }

  #aggregate(plan: Aggregate): Select {
    const relation = this.#query.relationOf(plan.input);
    const input = this.#select(plan.input);
    this.#forms.checkGroup?.(plan, relation.window !== undefined);
    const reads = plan.aggregates.flatMap(({ arg, where }) => [
      ...(arg === undefined ? [] : [arg]),
      ...(where === undefined ? [] : columnsRead(where)),
    ]);
    const open = this.#open(input, [...plan.keys, ...reads]);
    const expressions = this.#expressions(plan.input, open);
    const keys = plan.keys.map((name) => itemOf(open, name));
    const calls = plan.aggregates.map((call) => ({
      name: call.as,
      value: atom(
        this.#forms.aggregate(
          call,
          call.arg === undefined
            ? undefined
            : { type: columnType(relation, call.arg), text: itemOf(open, call.arg).value.text },
          call.where && expressions.condition(call.where).text,
        ),
      ),
    }));
    const { groupWindow, star: _, ...rest } = open;
    return {
      ...rest,
      items: [...keys, ...calls],
      groupBy:
        groupWindow === undefined ? keys.map(({ value }) => value.text) : groupByWindow(groupWindow, keys),
      ...(keys.length === 0 && this.#forms.havingOfGlobal !== undefined
        ? { having: this.#forms.havingOfGlobal }
        : {}),
    };
  }

  #rank(plan: Rank): Select {
    const input = this.#select(plan.input);
    const identifier = this.#forms.identifier;
    const order = plan.orderBy.map(({ column: name, direction, nulls }) =>
      [
        identifier(name),
        direction.toUpperCase(),
        ...(nulls === undefined ? [] : [`NULLS ${nulls.toUpperCase()}`]),
      ].join(' '),
    );
    const partition =
      plan.partitionBy.length === 0 ? '' : `PARTITION BY ${plan.partitionBy.map(identifier).join(', ')} `;
    const number = atom(`ROW_NUMBER() OVER (${partition}ORDER BY ${order.join(', ')})`);
    const ranked = this.extend(input, [{ name: RANK, value: number }]);
    const { star: _, ...rest } = ranked;
    return {
      ...rest,
      items: ranked.items.filter(({ name }) => name !== RANK),
      where: [`${RANK} <= ${plan.limit}`],
      // Engines know a top-N by this very condition alone.
      sealed: true,
    };
  }

  #join(plan: Join): Select {
    const left = this.#side(plan.left);
    const right = this.#side(plan.right);
    const pairs = plan.equal.map((pair) => {
      const of = (side: Side, name: string) => itemOf(side, name).value.text;
      return `${of(left, pair.left)} = ${of(right, pair.right)}`;
    });
    const joined = { items: [...left.items, ...right.items] };
    const columns = [
      ...this.#query.relationOf(plan.left).columns,
      ...this.#query.relationOf(plan.right).columns,
    ];
    const rest =
      plan.where === undefined
        ? []
        : [
            within(
              expressionRenderer(this.#forms, columns, (name) => itemOf(joined, name).value).condition(
                plan.where,
              ),
              Level.and,
            ),
          ];
    const conditions = [...pairs, ...rest];
    const on = this.#forms.joinOn === 'any' ? conditions : conditions.slice(0, 1);
    return {
      ...joined,
      from: `${left.from}\nJOIN ${right.from} ON ${on.join(' AND ')}`,
      where: conditions.slice(on.length),
    };
  }

  /** One side of a join: a table or a subquery under an alias, and its columns qualified by it. */
  #side(plan: Plan): Side {
    const alias = this.#alias();
    const select = this.#select(plan);
    const from = plan.op === 'scan' ? `${select.from} AS ${alias}` : subquery(this.#print(select), alias);
    return {
      from,
      items: select.items.map(({ name }) => ({
        name,
        value: column(`${alias}.${this.#forms.identifier(name)}`),
      })),
    };
  }

  /** The SELECT itself where it does not group and all of `names` are plain columns of it, else a new one. */
  #open(select: Select, names: readonly string[]): Select {
    const plain = names.every((name) => itemOf(select, name).value.column);
    return plain && select.groupBy === undefined ? select : this.derived(select);
  }

  #expressions(input: Plan, select: Select): ExpressionRenderer {
    const { columns } = this.#query.relationOf(input);
    return expressionRenderer(this.#forms, columns, (name) => itemOf(select, name).value);
  }

  #selectAll(names: readonly string[], from: string): Select {
    return selectAll(names, from, this.#forms.identifier);
  }

  #print(select: Select): string {
    return print(select, this.#forms.identifier);
  }

  #alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }
}

type Side = Pick<Select, 'from' | 'items'>;

function columnType(relation: Relation, name: string): Type {
  return relation.columns[columnIndex(relation.columns, name)]!.type;
}
