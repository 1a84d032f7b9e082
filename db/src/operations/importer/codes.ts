import type { FileOwner } from '@tapeline/domain/importer/match-files.ts';
import type { NamedCollection } from '@tapeline/domain/importer/match-names.ts';
import type { ReadSession } from '../../read-session.ts';
import { NAMED } from './resolve-names.ts';

export interface NamedCode {
  readonly code: number;
  readonly title: string;
}

/** The codes of the visible funds, main funds and LPs, by code: at most `most` of each. */
export async function namedCodes(
  session: ReadSession,
  most: number,
): Promise<Record<'funds' | 'mainFunds' | 'LPs', NamedCode[]>> {
  const of = (table: 'funds' | 'main_funds' | 'lps') =>
    session.query<NamedCode>(`select code, title from ${table} where status <> 'Removed' order by code limit $1`, [
      most,
    ]);
  return { funds: await of('funds'), mainFunds: await of('main_funds'), LPs: await of('lps') };
}

/** The numbers that differ from a code by one digit: another one, one more or one less. */
function similarCodes(code: string): number[] {
  const digits = [...'0123456789'];
  const places = [...code];
  const all = [
    ...places.map((_, at) => code.slice(0, at) + code.slice(at + 1)),
    ...places.flatMap((_, at) => digits.map((digit) => code.slice(0, at) + digit + code.slice(at + 1))),
    ...[...places, ''].flatMap((_, at) => digits.map((digit) => code.slice(0, at) + digit + code.slice(at))),
    // Two digits in the wrong order.
    ...places.slice(1).map((next, at) => code.slice(0, at) + next + code[at] + code.slice(at + 2)),
  ];
  return [...new Set(all.filter((one) => one !== '').map(Number))].filter((one) => one > 0 && one < 1e9);
}

/** What was probably meant by numbers that are no code: the only document whose code differs by one digit. */
export async function meantCodes(
  session: ReadSession,
  collection: NamedCollection,
  texts: readonly string[],
): Promise<Map<string, NamedCode>> {
  const numbers = new Map(texts.filter((text) => /^\d{1,9}$/.test(text)).map((text) => [text, similarCodes(text)]));
  const codes = [...new Set([...numbers.values()].flat())];
  if (codes.length === 0) return new Map();
  const known = await session.query<NamedCode>(
    `select code, title from ${NAMED[collection].table} where status <> 'Removed' and code = any ($1)`,
    [codes],
  );
  const meant = new Map<string, NamedCode>();
  for (const [text, near] of numbers) {
    const [only, ...others] = known.filter(({ code }) => near.includes(code));
    if (only && others.length === 0) meant.set(text, only);
  }
  return meant;
}

/** An investor, fund or class that a PDF can belong to, with the cells that name it in a row of an import. */
export interface DocumentOwner extends FileOwner {
  readonly title: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** The investors with a commitment in force in a fund, or in one of its classes, by name. */
export async function investorsOfFund(
  session: ReadSession,
  { fundId, classKey }: { fundId: string; classKey: string | null },
): Promise<DocumentOwner[]> {
  const rows = await session.query<{
    id: string;
    kind: string;
    code: number;
    title: string;
    name: string;
    fundCode: number;
    classKey: string | null;
  }>(
    `select distinct on (title, id) coalesce(l.id, i.id) as id, c.investor_kind as kind, coalesce(l.code, i.code) as code,
       coalesce(l.title, i.title) as title, coalesce(l.name, i.name) as name, f.code as "fundCode", $2::text as "classKey"
     from lp_commitments c join funds f on f.id = c.fund_id
     left join lps l on l.id = c.investor_lp_id left join funds i on i.id = c.investor_fund_id
     where c.status in ('Active', 'Closed') and f.id = $1 and ($2::text is null or c.class = $2)
       and coalesce(l.id, i.id) is not null
     order by title, id`,
    [fundId, classKey],
  );
  return rows.map(({ id, kind, code, title, name, fundCode, classKey: ofClass }) => ({
    id,
    title,
    code,
    names: [title, name].filter((one) => one !== ''),
    cells: {
      investorType: kind,
      investorCode: String(code),
      fundCode: String(fundCode),
      ...(ofClass === null ? {} : { fundClassCode: ofClass }),
    },
  }));
}

/** The visible funds and their classes, by name: at most `most` funds. */
export async function fundsAndClasses(session: ReadSession, most: number): Promise<DocumentOwner[]> {
  const rows = await session.query<{
    id: string;
    code: number;
    title: string;
    name: string;
    classes: { name: string; uniqueKey: string }[];
  }>(`select id, code, title, name, classes from funds where status <> 'Removed' order by title, id limit $1`, [most]);
  return rows.flatMap(({ id, code, title, name, classes }): DocumentOwner[] => {
    const names = [title, name].filter((one) => one !== '');
    const cells = { fundCode: String(code) };
    return [
      { id, title, code, names, cells },
      ...classes.map((one) => ({
        id: `${id}:${one.uniqueKey}`,
        title: `${title}, ${one.name}`,
        code: null,
        names: [...new Set([one.name, one.uniqueKey, `class ${one.name}`, `class ${one.uniqueKey}`])].map(
          (ofClass) => `${title} ${ofClass}`,
        ),
        cells: { ...cells, fundClassCode: one.uniqueKey },
      })),
    ];
  });
}
