import type { DuckDBConnection } from '@duckdb/node-api';
import {
  bareReason,
  bareReasonSql,
  blamesNamedSql,
  isUsedSql,
  quotedSql,
} from '@tapeline/domain/tapes/cell-reasons.ts';
import type { CheckCode } from '@tapeline/domain/tapes/check-code.ts';
import { fixesOf } from '@tapeline/domain/tapes/check-fixes.ts';
import type { MappingRule } from '@tapeline/domain/tapes/rule.schema.ts';
import { MISFIT_PROBLEM, type TapeWarnings } from '@tapeline/domain/tapes/tape.schema.ts';
import {
  type CheckedFile,
  type CheckGroup,
  MAX_CHECK_GROUPS,
  MAX_GROUP_ROWS,
  MAX_GROUP_VALUES,
} from '@tapeline/domain/tapes/tape-check.ts';
import { ROW_COLUMN } from '@tapeline/domain/tapes/target-schema.ts';
import { unreadColumn } from '@tapeline/domain/tapes/unread-column.ts';
import { quoteName, quoteText } from '@tapeline/lake/lake.ts';
import { judgedOf } from '@tapeline/lake/tape-warnings.ts';
import type { CompiledMapping } from '../tape/compile/compile.ts';
import { LONGEST_QUOTE } from '../tape/compile/mapping-compiler.ts';
import { REASONS } from '../tape/compile/values.ts';

const row = quoteName(ROW_COLUMN);
/** A value has a group of its own if it has this share of the rows and more than one, or if there are no more values. */
const MIN_VALUE_SHARE = 0.05;
const FEW_VALUES = 3;
const MAX_REASON = 500;

export interface FoundInput {
  readonly compiled: CompiledMapping;
  /** As the mapping lists them. */
  readonly rules: readonly MappingRule[];
  /** SQL of the errored rows that a single batch finds, and of the assets that remain. */
  readonly errored: string;
  readonly assets: string;
  /** How many assets have which warnings. */
  readonly warnings: TapeWarnings;
}

/** One reason of one rule, with how many rows have it. */
interface Reason {
  readonly warns: boolean;
  readonly rule: number;
  /** Empty for what a rule found, whose reason says why. */
  readonly code: string;
  readonly why: string;
  readonly count: number;
  readonly values: { readonly value: string; readonly count: number }[];
}

/** A group before its rows are known. */
interface Chosen {
  readonly reason: Reason;
  /** Null for all values, or all others. */
  readonly value: string | null;
  readonly count: number;
}

/**
 * Groups the errors and warnings of all rows by rule and reason, and by value if many rows have the same. The table
 * `late_errors` holds what only all rows together show.
 */
export async function foundGroups(
  connection: DuckDBConnection,
  input: FoundInput,
): Promise<Pick<CheckedFile, 'groups' | 'moreGroups'>> {
  await connection.run(`CREATE OR REPLACE TEMP VIEW found AS ${foundSql(input)}`);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE found_values AS SELECT warns, rule, code, why, same, count(*) AS n FROM found GROUP BY ALL`,
  );
  const reasons = await reasonsFound(connection);
  const chosen = reasons.flatMap(groupsOf);
  const inOrder = chosen.sort((a, b) => Number(a.reason.warns) - Number(b.reason.warns) || b.count - a.count);
  const listed = inOrder.slice(0, MAX_CHECK_GROUPS);
  const rows = await rowsOf(connection, listed);
  await connection.run('DROP TABLE found_values');
  return {
    groups: listed.map((each, index) => described(input, each, rows.get(index) ?? [])),
    moreGroups: chosen.length - listed.length,
  };
}

/** One row for each reason of each row: `same` is the value that it can be grouped by. */
function foundSql({ compiled, errored, assets, warnings }: FoundInput): string {
  const found = [
    `SELECT false AS warns, e.rule AS rule, '' AS code, ${bareReasonSql('e.reason', 'e.value')} AS why,
       CASE WHEN e.rule > 0 AND NOT ${blamesNamedSql('e.reason')} THEN e.value END AS same, e.value AS value, ${row}, e.reason AS reason
     FROM (SELECT ${row}, unnest(errors) AS e FROM ${errored})`,
    `SELECT false, rule, CASE WHEN ${isUsedSql('reason')} THEN 'notUnique' ELSE 'notConsistent' END, '', NULL, value, ${row}, reason
     FROM late_errors`,
  ];
  const counted = new Set(warnings.fields.map(({ path, isUnread }) => `${path} ${isUnread ?? false}`));
  for (const { warning, conditions, column } of judgedOf(compiled.fields)) {
    const { path, label, reason, isUnread = false } = warning;
    const rule = compiled.rules.find(({ target, temporary }) => !temporary && target.path === path)?.rule;
    if (!counted.has(`${path} ${isUnread}`) || rule === undefined) continue;
    const where = conditions.join(' OR ');
    if (isUnread) {
      const why = quoteName(unreadColumn(path));
      const value = quotedSql(why);
      found.push(
        `SELECT true, ${rule}, 'unread', ${bareReasonSql(why, value)}, ${value}, ${value}, ${row}, ${why} FROM ${assets} WHERE ${where}`,
      );
      continue;
    }
    const text = `CAST(${quoteName(column)} AS VARCHAR)`;
    const shown = `CASE WHEN contains(${text}, '.') THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`;
    found.push(
      `SELECT true, ${rule}, 'implausible', ${quoteText(reason)}, ${shown}, ${shown}, ${row}, ${quoteText(`${label} ${reason}`)} FROM ${assets} WHERE ${where}`,
    );
  }
  return found.join(' UNION ALL ');
}

async function reasonsFound(connection: DuckDBConnection): Promise<Reason[]> {
  const key = 'warns, rule, code, why';
  const read = await connection.runAndReadAll(
    `SELECT ${key}, sum(n) AS rows, CAST(to_json(coalesce(max_by({'value': same, 'count': n}, n, ${MAX_GROUP_VALUES}) FILTER (WHERE same IS NOT NULL), [])) AS VARCHAR)
     FROM found_values GROUP BY ${key} ORDER BY warns, rows DESC, rule, why`,
  );
  return read.getRows().map(([warns, rule, code, why, rows, values]) => ({
    warns: warns === true,
    rule: Number(rule),
    code: String(code),
    why: String(why),
    count: Number(rows),
    values: JSON.parse(String(values)) as Reason['values'],
  }));
}

/** One group for each value that many rows have, and one for all others. */
function groupsOf(reason: Reason): Chosen[] {
  const { values, count } = reason;
  const isFew = values.length <= FEW_VALUES;
  const frequent = values.filter((each) => isFew || each.count >= Math.max(2, count * MIN_VALUE_SHARE));
  const others = count - frequent.reduce((sum, each) => sum + each.count, 0);
  return [
    ...frequent.map((each): Chosen => ({ reason, ...each })),
    ...(others > 0 ? [{ reason, value: null, count: others }] : []),
  ];
}

type GroupRow = CheckGroup['rows'][number];

/** The first rows of each group, by its index. */
async function rowsOf(connection: DuckDBConnection, groups: readonly Chosen[]): Promise<Map<number, GroupRow[]>> {
  if (groups.length === 0) return new Map();
  const values = groups.map(({ reason: { warns, rule, code, why }, value }, index) => {
    const same = value === null ? 'CAST(NULL AS VARCHAR)' : quoteText(value);
    return `(${index}, ${warns}, ${rule}, ${quoteText(code)}, ${quoteText(why)}, ${same})`;
  });
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE chosen AS FROM (VALUES ${values.join(', ')}) g(id, warns, rule, code, why, same)`,
  );
  const on = (side: string) =>
    ['warns', 'rule', 'code', 'why'].map((name) => `${side}.${name} = f.${name}`).join(' AND ');
  const first = `{'row': f.${row}, 'value': left(f.value, ${LONGEST_QUOTE + 1}), 'reason': left(f.reason, ${MAX_REASON})}`;
  const read = await connection.runAndReadAll(
    `SELECT coalesce(v.id, o.id) AS id, CAST(to_json(min_by(${first}, f.${row}, ${MAX_GROUP_ROWS})) AS VARCHAR)
     FROM found f LEFT JOIN chosen v ON ${on('v')} AND v.same = f.same LEFT JOIN chosen o ON ${on('o')} AND o.same IS NULL
     WHERE coalesce(v.id, o.id) IS NOT NULL GROUP BY 1`,
  );
  await connection.run('DROP TABLE chosen');
  return new Map(read.getRows().map(([id, rows]) => [Number(id), JSON.parse(String(rows)) as GroupRow[]]));
}

const CONVERSIONS: ReadonlySet<string> = new Set(Object.values(REASONS).filter((each) => each !== REASONS.missing));

/** What each code is called in a group, if its rows have reasons of their own. */
const GROUP_REASONS: Partial<Record<CheckCode, string>> = {
  notUnique: 'is already used by an earlier row',
  notConsistent: 'differs from the earlier tape',
};

function described(
  { compiled, rules }: FoundInput,
  { reason: { warns, rule, code: known, why }, value, count }: Chosen,
  rows: readonly GroupRow[],
): CheckGroup {
  const kind = warns ? 'warning' : 'error';
  const made = compiled.rules.find((each) => each.rule === rule);
  const mapped = rules[rule - 1];
  if (!made || !mapped) {
    const { target, reason } = MISFIT_PROBLEM;
    return { kind, rule: 0, column: null, target, label: 'Row', code: 'misfit', reason, value, count, rows, fixes: [] };
  }
  const { originCol: column, target } = made;
  const bare = bareReason(why, column ?? target.label);
  const code = known === '' ? codeOf(bare) : (known as CheckCode);
  const whole = value !== null && value.length <= LONGEST_QUOTE ? value : null;
  return {
    kind,
    rule,
    column,
    target: target.path,
    label: target.label,
    code,
    reason: GROUP_REASONS[code] ?? bare,
    value,
    count,
    rows,
    fixes: fixesOf(mapped, { code, value: column === null ? null : whole }),
  };
}

function codeOf(bare: string): CheckCode {
  if (bare === REASONS.missing) return 'missing';
  return CONVERSIONS.has(bare) ? 'notConverted' : 'validation';
}
