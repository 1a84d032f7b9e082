import { reason, type Why } from '@tapeline/domain/errors/reason.ts';
import {
  type ImportProblem,
  type ImportReference,
  type ImportRow,
  importProblem,
} from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { classNamed, nameKey, nameKeysOf } from '@tapeline/domain/importer/match-names.ts';
import type { ReadSession } from '../../read-session.ts';
import { cellOf } from './references.ts';

/** The collections whose documents rows name. */
export type NamedCollection = 'LPs' | 'funds' | 'mainFunds';

/** A document that a row names, by what identifies it and what it is called. */
interface Named {
  readonly id: string;
  readonly code: number;
  readonly title: string;
  readonly externalCode: string | null;
  readonly formalId: string | null;
  readonly names: readonly (string | null)[];
  readonly classes?: readonly { readonly name: string; readonly uniqueKey: string }[];
}

/** What each collection is called in a refusal and in the search, its table, and the column of the names that were matched to it. */
export const NAMED = {
  LPs: {
    table: 'lps',
    one: 'LP',
    noun: 'an LP',
    by: 'lp_id',
    searched: 'investor',
    more: 'name, formal_id, external_code, null::jsonb as classes',
  },
  funds: {
    table: 'funds',
    one: 'fund',
    noun: 'a fund',
    by: 'fund_id',
    searched: 'fund',
    more: 'name, null::text as formal_id, external_code, classes',
  },
  mainFunds: {
    table: 'main_funds',
    one: 'main fund',
    noun: 'a main fund',
    by: 'main_fund_id',
    searched: 'mainFund',
    more: `title as name, null::text as formal_id, null::text as external_code, null::jsonb as classes`,
  },
} as const;

const COLUMNS: Readonly<Record<string, NamedCollection>> = {
  fundCode: 'funds',
  mainFund: 'mainFunds',
  LPCode: 'LPs',
};
const BY_INVESTOR = ['investorCode', 'investorAlso'];

/** The documents that a cell of a column names; null for a column of other things. */
export const collectionOf = (column: string, cells: ImportRow['cells']): NamedCollection | null =>
  BY_INVESTOR.includes(column)
    ? cells.investorType?.trim().toLowerCase() === 'fund'
      ? 'funds'
      : 'LPs'
    : (COLUMNS[column] ?? null);

const NUMBER = /^\d{1,9}(?:\.0*)?$/;
/** "LP-0471" and "Fund 3" name codes, unless something has them as its external code or name. */
const WORD_AND_NUMBER = /^(?:lp|fund|investor|inv|no|nr|#)[ .:#_-]*0*(\d{1,9})$/i;
const numberOf = (text: string): number | null =>
  NUMBER.test(text) ? Number(text) : Number(WORD_AND_NUMBER.exec(text)?.[1] ?? Number.NaN) || null;

/** What texts of a collection name, as far as the actor sees it. */
type Lookup = (
  text: string,
) => { readonly one: Named; readonly isRemembered: boolean } | { readonly one: null; readonly why: Why };

async function lookUp(
  session: ReadSession,
  { managerId, collection, texts }: { managerId: string; collection: NamedCollection; texts: readonly string[] },
): Promise<Lookup> {
  const { table, one: oneOf, noun, by, more } = NAMED[collection];
  const keys = [...new Set(texts.flatMap(nameKeysOf))];
  const numbers = [...new Set(texts.flatMap((text) => numberOf(text) ?? []))];
  const isNamed = keys.some((key) => !NUMBER.test(key));
  const [found, remembered] = await session.queries<
    [
      {
        id: string;
        code: number;
        title: string;
        name: string;
        formal_id: string | null;
        external_code: string | null;
        classes: Named['classes'];
      }[],
      { name: string; id: string }[],
    ]
  >([
    {
      sql: `select * from (select id, code, title, manager_id, status, ${more} from ${table}) t
            where manager_id = $1 and status <> 'Removed' and (code = any ($2) or lower(external_code) = any ($3)
              or lower(formal_id) = any ($3) or ($4 and (lower(title) = any ($3) or lower(name) = any ($3)))
              or id in (select ${by} from import_names where manager_id = $1 and name = any ($3)))`,
      values: [managerId, numbers, keys, isNamed],
    },
    {
      sql: `select name, ${by} as id from import_names where manager_id = $1 and name = any ($2) and ${by} is not null`,
      values: [managerId, keys],
    },
  ]);
  const documents = found.map(
    ({ id, code, title, name, formal_id: formalId, external_code: externalCode, classes }): Named => ({
      id,
      code,
      title,
      externalCode,
      formalId,
      names: [title, name],
      ...(classes ? { classes } : {}),
    }),
  );
  const byId = new Map(documents.map((document) => [document.id, document]));
  const confirmed = new Map(remembered.map(({ name, id }) => [name, byId.get(id)]));
  const under = (textsOf: (document: Named) => readonly (string | null)[]) => {
    const byKey = new Map<string, Named[]>();
    for (const document of documents) {
      for (const key of new Set(textsOf(document).flatMap((text) => (text ? [nameKey(text)] : []))))
        byKey.set(key, [...(byKey.get(key) ?? []), document]);
    }
    return (text: string) => [...new Set(nameKeysOf(text).flatMap((key) => byKey.get(key) ?? []))];
  };
  const byExternal = under(({ externalCode }) => [externalCode]);
  const byFormalId = under(({ formalId }) => [formalId]);
  const byName = under(({ names }) => names);
  const byCode = new Map(documents.map((document) => [document.code, document]));
  return (text) => {
    const known = confirmed.get(nameKey(text));
    if (known) return { one: known, isRemembered: true };
    const number = numberOf(text);
    const coded = [number === null ? undefined : byCode.get(number)].filter((one) => one !== undefined);
    const external = byExternal(text);
    // The first of these that names something decides. A number that is the code of one and the external code of another is asked for.
    const meant =
      [
        NUMBER.test(text) ? [...new Set([...coded, ...external])] : external,
        byFormalId(text),
        byName(text),
        coded,
      ].find((some) => some.length > 0) ?? [];
    const [first, ...others] = meant;
    if (first && others.length === 0) return { one: first, isRemembered: false };
    if (first) return { one: null, why: reason('severalNamed', { noun: oneOf }) };
    return { one: null, why: number === null ? reason('uncertainName', { noun }) : `is not the code of ${noun}` };
  };
}

/** The rows with codes in place of names, and what could not be replaced. */
export interface ResolvedRows {
  readonly rows: readonly ImportRow[];
  /** By the index of the row. */
  readonly problems: ReadonlyMap<number, readonly ImportProblem[]>;
  /** What texts that are no codes stand for, once for each column and text. */
  readonly found: readonly ImportReference[];
}

/**
 * Replaces what rows call investors, funds and classes by their codes and keys: external codes, formal ids, names, and names
 * that a person matched before. Nothing is guessed: a name that is not exactly one's is a problem.
 */
export async function resolveNames(
  session: ReadSession,
  managerId: string,
  { kind, rows }: { kind: ImportKind; rows: readonly ImportRow[] },
): Promise<ResolvedRows> {
  const columns = IMPORT_COLUMNS[kind].map(({ key }) => key);
  const naming = columns.filter((key) => collectionOf(key, {}) !== null);
  const wanted = new Map<NamedCollection, Set<string>>();
  for (const row of rows) {
    for (const column of naming) {
      const collection = collectionOf(column, row.cells);
      const text = cellOf(row, column);
      if (collection && text !== null) wanted.set(collection, (wanted.get(collection) ?? new Set()).add(text));
    }
  }
  const lookups = new Map<NamedCollection, Lookup>();
  for (const [collection, texts] of wanted)
    lookups.set(collection, await lookUp(session, { managerId, collection, texts: [...texts] }));
  const problems = new Map<number, ImportProblem[]>();
  const found = new Map<string, ImportReference>();
  const resolved = rows.map((row, index) => {
    if (naming.length === 0) return row;
    const cells: Record<string, string> = { ...row.cells };
    const own: ImportProblem[] = [];
    const look = (column: string) => {
      const text = cellOf(row, column);
      const collection = collectionOf(column, row.cells);
      const answer = text === null || !collection ? null : lookups.get(collection)?.(text);
      return answer && text !== null && collection ? { ...answer, text, collection, column } : null;
    };
    const note = ({
      column,
      collection,
      text,
      one,
      isRemembered,
    }: {
      column: string;
      collection: NamedCollection;
      text: string;
      one: Named;
      isRemembered: boolean;
    }) => {
      cells[column] = String(one.code);
      if (text !== String(one.code))
        found.set(`${column} ${collection} ${text}`, {
          column,
          collection,
          code: text,
          id: one.id,
          title: one.title,
          ...(isRemembered ? { isRemembered } : {}),
        });
    };
    let fund: Named | null = null;
    for (const column of naming.filter((key) => !BY_INVESTOR.includes(key))) {
      const answer = look(column);
      if (!answer) continue;
      if (answer.one === null) own.push(importProblem('reference', column, answer.why));
      else {
        note({ ...answer, one: answer.one });
        if (column === 'fundCode') fund = answer.one;
      }
    }
    const [named, external] = BY_INVESTOR.map((column) => (naming.includes(column) ? look(column) : null));
    delete cells.investorAlso;
    // A name that is not exact gives way to a certain code. A code that names nothing does not give way to a name.
    const isWrongCode = named !== null && named !== undefined && named.one === null && numberOf(named.text) !== null;
    if (external?.one && !isWrongCode) {
      note({ ...external, one: external.one });
      delete cells.investorAlso;
      cells.investorCode = String(external.one.code);
      if (named?.one && named.one.id !== external.one.id)
        own.push(
          importProblem(
            'reference',
            'investorAlso',
            `is the code of ${external.one.title}, and not of ${named.one.title}`,
          ),
        );
    } else if (named?.one) note({ ...named, one: named.one });
    else if (named?.one === null) own.push(importProblem('reference', 'investorCode', named.why));
    else if (external?.one === null) own.push(importProblem('reference', 'investorAlso', external.why));
    const className = columns.includes('fundClassCode') ? cellOf(row, 'fundClassCode') : null;
    const meant = className === null || !fund?.classes ? null : classNamed(className, fund.classes);
    if (meant) cells.fundClassCode = meant.uniqueKey;
    if (own.length > 0) problems.set(index, own);
    return { ...row, cells };
  });
  return { rows: resolved, problems, found: [...found.values()] };
}

/** Whether it was said of a cell that it names nothing certain, so that nothing more is to be said of it. */
export const isOfName = ({ problems }: ResolvedRows, index: number, column: string | null): boolean =>
  (problems.get(index) ?? []).some(
    (problem) => problem.column === column || (column === 'investorCode' && problem.column === 'investorAlso'),
  );
