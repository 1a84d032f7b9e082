import { reason, type Why } from '@tapeline/domain/errors/reason.ts';
import {
  type ImportProblem,
  type ImportReference,
  type ImportRow,
  importProblem,
} from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { classNamed, type NamedCollection, nameKey, nameKeysOf } from '@tapeline/domain/importer/match-names.ts';
import type { ReadSession } from '../../read-session.ts';
import { cellOf } from './references.ts';

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

/** For each collection: its table, its names in a refusal and in the search, and its column in `import_names`. */
export const NAMED = {
  LPs: {
    table: 'lps',
    noun: 'LP',
    withArticle: 'an LP',
    by: 'lp_id',
    searched: 'investor',
    more: 'name, formal_id, external_code, null::jsonb as classes',
  },
  funds: {
    table: 'funds',
    noun: 'fund',
    withArticle: 'a fund',
    by: 'fund_id',
    searched: 'fund',
    more: 'name, null::text as formal_id, external_code, classes',
  },
  mainFunds: {
    table: 'main_funds',
    noun: 'main fund',
    withArticle: 'a main fund',
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
  BY_INVESTOR.includes(column) || column === 'toCode'
    ? cells[column === 'toCode' ? 'toType' : 'investorType']?.trim().toLowerCase() === 'fund'
      ? 'funds'
      : 'LPs'
    : (COLUMNS[column] ?? null);

const NUMBER = /^\d{1,9}(?:\.0*)?$/;
/** "LP-0471" and "Fund 3" name codes, unless something has them as its external code or name. */
const WORD_AND_NUMBER = /^(?:lp|fund|investor|inv|no|nr|#)[ .:#_-]*0*(\d{1,9})$/i;
const numberOf = (text: string): number | null =>
  NUMBER.test(text) ? Number(text) : Number(WORD_AND_NUMBER.exec(text)?.[1] ?? Number.NaN) || null;

/** The documents that a text means, as far as the actor can see them, and why it is a problem if these are none or several. */
interface Meaning {
  readonly documents: readonly Named[];
  readonly isRemembered: boolean;
  readonly why: Why | null;
}
type Lookup = (text: string) => Meaning;

async function lookUp(
  session: ReadSession,
  { managerId, collection, texts }: { managerId: string; collection: NamedCollection; texts: readonly string[] },
): Promise<Lookup> {
  const { table, noun, withArticle, by, more } = NAMED[collection];
  // The database compares names as they are stored.
  const keys = [...new Set(texts.flatMap((text) => [text.toLowerCase(), ...nameKeysOf(text)]))];
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
  const byCode = Map.groupBy(documents, ({ code }) => code);
  return (text) => {
    const known = confirmed.get(nameKey(text));
    if (known) return { documents: [known], isRemembered: true, why: null };
    const number = numberOf(text);
    const coded = number === null ? [] : (byCode.get(number) ?? []);
    const external = byExternal(text);
    // The first of these that names something decides. A number that is the code of one and the external code of another is asked for.
    const meant =
      [
        NUMBER.test(text) ? [...new Set([...coded, ...external])] : external,
        byFormalId(text),
        byName(text),
        coded,
      ].find((some) => some.length > 0) ?? [];
    const meaning = { documents: meant, isRemembered: false };
    if (meant.length === 1) return { ...meaning, why: null };
    if (meant.length > 1) return { ...meaning, why: reason('severalNamed', { noun }) };
    const unknown =
      number === null ? reason('uncertainName', { noun: withArticle }) : `is not the code of ${withArticle}`;
    return { ...meaning, why: unknown };
  };
}

const onlyOf = ({ documents }: Meaning): Named | null => (documents.length === 1 ? (documents[0] ?? null) : null);

/** A text in a column of a row, and what it means. */
interface NameInRow extends Meaning {
  readonly column: string;
  readonly collection: NamedCollection;
  readonly text: string;
}

/** The rows with codes instead of names, and what could not be replaced. */
export interface ResolvedRows {
  readonly rows: readonly ImportRow[];
  /** By the index of the row. */
  readonly problems: ReadonlyMap<number, readonly ImportProblem[]>;
  /** What texts that are no codes stand for, once for each column and text. */
  readonly found: readonly ImportReference[];
}

/**
 * Replaces what rows call investors, funds and classes by their codes and keys: external codes, formal ids, names, and names
 * that a person matched before. Nothing is guessed: a name that is not exactly that of one document is a problem.
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
    const refuse = (column: string, why: Why) => own.push(importProblem('reference', column, why));
    const look = (column: string): NameInRow | null => {
      const text = naming.includes(column) ? cellOf(row, column) : null;
      const collection = collectionOf(column, row.cells);
      const meaning = text === null || !collection ? null : lookups.get(collection)?.(text);
      return meaning && text !== null && collection ? { ...meaning, text, collection, column } : null;
    };
    const replace = (name: NameInRow, { id, code, title }: Named, column = name.column) => {
      cells[column] = String(code);
      if (name.text === String(code)) return;
      found.set(`${name.column} ${name.collection} ${name.text}`, {
        column: name.column,
        collection: name.collection,
        code: name.text,
        id,
        title,
        ...(name.isRemembered ? { isRemembered: true } : {}),
      });
    };
    let fund: Named | null = null;
    for (const column of naming.filter((key) => !BY_INVESTOR.includes(key))) {
      const name = look(column);
      const document = name && onlyOf(name);
      if (document) replace(name, document);
      else if (name?.why) refuse(column, name.why);
      if (column === 'fundCode') fund = document;
    }
    const [named, also] = BY_INVESTOR.map(look);
    delete cells.investorAlso;
    const [byNamed, byAlso] = [named && onlyOf(named), also && onlyOf(also)];
    // A name that is not exact gives way to a certain code. A code that names nothing does not give way to a name.
    const isWrongCode = named?.documents.length === 0 && numberOf(named.text) !== null;
    if (also && byAlso && !isWrongCode) {
      replace(also, byAlso, 'investorCode');
      const [other] = named?.documents ?? [];
      if (other && !named?.documents.includes(byAlso))
        refuse('investorAlso', `is the code of ${byAlso.title}, and not of ${other.title}`);
    } else if (named && byNamed) replace(named, byNamed);
    else if (named?.why) refuse('investorCode', named.why);
    else if (also?.why) refuse('investorAlso', also.why);
    const className = columns.includes('fundClassCode') ? cellOf(row, 'fundClassCode') : null;
    const meant = className === null || !fund?.classes ? null : classNamed(className, fund.classes);
    if (meant) cells.fundClassCode = meant.uniqueKey;
    if (own.length > 0) problems.set(index, own);
    return { ...row, cells };
  });
  return { rows: resolved, problems, found: [...found.values()] };
}

/** Whether a cell has the problem that its name is not certain, so that no other problem is added to it. */
export const isOfName = ({ problems }: ResolvedRows, index: number, column: string | null): boolean =>
  (problems.get(index) ?? []).some(
    (problem) => problem.column === column || (column === 'investorCode' && problem.column === 'investorAlso'),
  );
