import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import { ANY_CELLS, type CellFacts } from './cell-facts.ts';
import { column, type Fragment, join, NULL_TEXT, raw, sql } from './sql.ts';
import { part, type Value } from './values.ts';

type TagName = keyof typeof CellTag;
/** A fragment for each tag. Blank cells give NULL. */
type ByTag = Readonly<Partial<Record<Exclude<TagName, 'blank'>, Fragment | null>>>;

const NULL_NUMBER = raw('CAST(NULL AS DOUBLE)');
/** The staged part that holds the value of a cell with this tag. */
const PART_OF: Readonly<Record<CellTag, 'n' | 's' | null>> = { 0: null, 1: 'n', 2: 's', 3: 'n', 4: 'n', 5: 's' };
const NAME_OF = Object.fromEntries(Object.entries(CellTag).map(([name, tag]) => [tag, name])) as Record<
  CellTag,
  Exclude<TagName, 'blank'>
>;

/** A cell of the sheet's column at this index, as staged. */
export function stagedCell(index: number, facts: CellFacts = ANY_CELLS): Value {
  const reads = facts.layout === 'codes' ? index : 'rows';
  const [t, n, s] = [`t${index}`, `n${index}`, `s${index}`].map((name) => column(name, reads)) as [
    Fragment,
    Fragment,
    Fragment,
  ];
  const tagOf = (there: Fragment): Fragment =>
    sql`CASE WHEN ${there} IS NULL THEN 0 ELSE ${filledTags(facts)[0] ?? CellTag.blank} END`;
  switch (facts.layout) {
    case 'numbers':
      return { kind: 'cell', facts, parts: { t: tagOf(n), n, s: NULL_TEXT } };
    case 'texts':
      return { kind: 'cell', facts, parts: { t: tagOf(s), n: NULL_NUMBER, s } };
    case 'nothing':
      return { kind: 'cell', facts, parts: { t: raw('0'), n: NULL_NUMBER, s: NULL_TEXT } };
    default:
      return { kind: 'cell', facts, parts: { t, n, s } };
  }
}

/** What is known about a cell, or about a number that was read from one. */
export const factsOf = (value: Value): CellFacts => value.facts ?? ANY_CELLS;

/** The cell if `hit` is not true, otherwise a blank cell. */
export function blankedWhere(cell: Value, hit: Fragment, define: (t: Fragment) => Fragment): Value {
  const facts = factsOf(cell);
  const tags = [...new Set([CellTag.blank, ...facts.tags])];
  const t = define(sql`CASE WHEN ${hit} THEN CAST(0 AS UTINYINT) ELSE ${part(cell, 't')} END`);
  return { kind: 'cell', parts: { ...cell.parts, t }, facts: { ...facts, tags }, masked: true };
}

const filledTags = (facts: CellFacts): CellTag[] => facts.tags.filter((tag) => tag !== CellTag.blank);

export const mayBe = (cell: Value, name: TagName): boolean => factsOf(cell).tags.includes(CellTag[name]);

/** Whether every nonblank cell is a number. */
export const holdsNumbersOnly = (cell: Value): boolean =>
  filledTags(factsOf(cell)).every((tag) => tag === CellTag.number);

/** The part that is NULL exactly when the cell is blank, or null if no such part exists. */
function presence(cell: Value): Fragment | null {
  const parts = new Set(filledTags(factsOf(cell)).map((tag) => PART_OF[tag]));
  const [only] = parts;
  return !cell.masked && parts.size === 1 && only ? part(cell, only) : null;
}

export function isBlank(cell: Value): Fragment {
  const there = presence(cell);
  return there ? sql`${there} IS NULL` : sql`${part(cell, 't')} = 0`;
}

/**
 * A value that depends on the cell's tag. Each branch is NULL if the part that it reads is NULL. Tags that cannot occur
 * have no branch, and if only one tag can fill the part, the tag is not checked.
 */
export function byTag(cell: Value, branches: ByTag, nothing: Fragment): Fragment {
  const filled = filledTags(factsOf(cell));
  const given = filled.flatMap((tag) => {
    const gives = branches[NAME_OF[tag]];
    return gives ? [{ tag, gives }] : [];
  });
  const [first] = given;
  if (!first) return nothing;
  const alone = given.length === 1 && filled.every((tag) => tag === first.tag || PART_OF[tag] !== PART_OF[first.tag]);
  if (alone && !cell.masked) return first.gives;
  const t = part(cell, 't');
  return sql`CASE ${join(
    given.map(({ tag, gives }) => sql`WHEN ${t} = ${tag} THEN ${gives}`),
    ' ',
  )} END`;
}

/** Why a cell gave no `result`, by its tag. Null if no possible cell can fail. */
export function problemByTag(cell: Value, result: Fragment, reasons: ByTag): Fragment | null {
  const filled = filledTags(factsOf(cell));
  const given = filled.flatMap((tag) => {
    const reason = reasons[NAME_OF[tag]];
    return reason ? [{ tag, reason }] : [];
  });
  const [first] = given;
  if (!first) return null;
  const there = presence(cell);
  if (there && filled.length === 1) {
    return sql`CASE WHEN ${result} IS NULL AND ${there} IS NOT NULL THEN ${first.reason} END`;
  }
  const t = part(cell, 't');
  const whens = given.map(({ tag, reason }) => sql`WHEN ${t} = ${tag} THEN ${reason}`);
  return sql`CASE WHEN ${result} IS NOT NULL OR ${t} = 0 THEN NULL ${join(whens, ' ')} END`;
}

/** The fragment if the cell's text is not blank, otherwise NULL. */
export function unlessBlank(cell: Value, gives: Fragment): Fragment {
  return factsOf(cell).trimmed ? gives : sql`CASE WHEN NOT tape_blank(${part(cell, 's')}) THEN ${gives} END`;
}
