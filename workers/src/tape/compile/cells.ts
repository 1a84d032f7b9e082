import { CellTag } from '@tapeline/domain/tapes/cell-tag.ts';
import { ANY_CELLS, type CellFacts } from './cell-facts.ts';
import { column, type Fragment, join, NULL_TEXT, raw, sql } from './sql.ts';
import { part, type Value } from './values.ts';

type TagName = keyof typeof CellTag;
/** Something for a cell of each tag; blank cells give NULL. */
type ByTag = Readonly<Partial<Record<Exclude<TagName, 'blank'>, Fragment | null>>>;

const NULL_NUMBER = raw('CAST(NULL AS DOUBLE)');
/** Which staged part says what a cell of this tag holds. */
const PART_OF: Readonly<Record<CellTag, 'n' | 's' | null>> = { 0: null, 1: 'n', 2: 's', 3: 'n', 4: 'n', 5: 's' };
const NAME_OF = Object.fromEntries(Object.entries(CellTag).map(([name, tag]) => [tag, name])) as Record<
  CellTag,
  Exclude<TagName, 'blank'>
>;

/** A cell of the sheet's column at this place, as it is staged. */
export function stagedCell(place: number, facts: CellFacts = ANY_CELLS): Value {
  const reads = facts.layout === 'codes' ? place : 'rows';
  const [t, n, s] = [`t${place}`, `n${place}`, `s${place}`].map((name) => column(name, reads)) as [
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

/** What is known of a cell, or of a number that was one. */
export const factsOf = (value: Value): CellFacts => value.facts ?? ANY_CELLS;

/** The cell where `hit` is not true, else a blank one. */
export function blankedWhere(cell: Value, hit: Fragment, define: (t: Fragment) => Fragment): Value {
  const facts = factsOf(cell);
  const tags = [...new Set([CellTag.blank, ...facts.tags])];
  const t = define(sql`CASE WHEN ${hit} THEN CAST(0 AS UTINYINT) ELSE ${part(cell, 't')} END`);
  return { kind: 'cell', parts: { ...cell.parts, t }, facts: { ...facts, tags }, masked: true };
}

const filledTags = (facts: CellFacts): CellTag[] => facts.tags.filter((tag) => tag !== CellTag.blank);

export const mayBe = (cell: Value, name: TagName): boolean => factsOf(cell).tags.includes(CellTag[name]);

/** All that is not blank is a number. */
export const holdsNumbersOnly = (cell: Value): boolean =>
  filledTags(factsOf(cell)).every((tag) => tag === CellTag.number);

/** The part that is NULL where the cell is blank and nowhere else, where there is one such part. */
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
 * A value by the cell's tag; each branch is NULL where the part that it reads is. Tags that cannot occur have no branch,
 * and where one alone can fill that part, nothing asks for the tag.
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

/** Why a cell gave no `result`, by its tag; null where no cell that may occur can fail. */
export function faultByTag(cell: Value, result: Fragment, reasons: ByTag): Fragment | null {
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

/** The fragment where the cell's text says anything. */
export function unlessBlank(cell: Value, gives: Fragment): Fragment {
  return factsOf(cell).trimmed ? gives : sql`CASE WHEN NOT tape_blank(${part(cell, 's')}) THEN ${gives} END`;
}
