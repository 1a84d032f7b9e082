import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { reason, type Why } from '@tapeline/domain/errors/reason.ts';
import {
  type ImportProblem,
  type ImportReference,
  type ImportRow,
  importProblem,
} from '@tapeline/domain/importer/check.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { nameKey, shownClass } from '@tapeline/domain/importer/match-names.ts';
import type { Session } from '../../store.ts';

/** A fund that a row names. */
export interface NamedFund {
  readonly id: string;
  readonly title: string;
  readonly code: number;
  readonly currency: string;
  readonly classes: readonly { readonly name: string; readonly uniqueKey: string }[];
}

interface Named {
  readonly id: string;
  readonly title: string;
  readonly code: number;
}

interface NamedEntity {
  readonly id: string;
  readonly name: string;
  readonly formalId: string;
}

/** A cell's text; null for a blank one. */
export const cellOf = ({ cells }: ImportRow, key: string): string | null => cells[key]?.trim() || null;

const CODE = /^\d{1,9}(\.0*)?$/;

/** The number in a cell; null for a blank cell, or for one that is no code and so is reported anyway. */
const codeOf = (row: ImportRow, key: string): number | null => {
  const cell = cellOf(row, key);
  return cell !== null && CODE.test(cell) ? Number(cell) : null;
};

const distinct = <Value>(values: readonly (Value | null)[]): Value[] => [
  ...new Set(values.filter((value): value is Value & {} => value !== null)),
];

/** What the rows of an import name, read once for all of them. */
export interface References {
  readonly fundByCode: ReadonlyMap<number, NamedFund>;
  readonly mainFundByCode: ReadonlyMap<number, Named>;
  readonly lpByCode: ReadonlyMap<number, Named>;
  /** Entities of the register by their formal id in lower case. */
  readonly entityByFormalId: ReadonlyMap<string, NamedEntity>;
  readonly filesByName: ReadonlyMap<string, readonly FileMetadata[]>;
  /** Ids of roles by their title in lower case; those of the manager go before those that every manager has. */
  readonly roleByTitle: ReadonlyMap<string, { readonly id: string; readonly title: string }>;
}

const byCode = <One extends { code: number }>(rows: readonly One[]) => new Map(rows.map((row) => [row.code, row]));

/** Reads everything that the codes, formal ids and file names of the rows name, as far as the actor can see it. */
export async function readReferences(
  session: Session,
  managerId: string,
  { kind, rows, files }: { kind: ImportKind; rows: readonly ImportRow[]; files: readonly FileMetadata[] },
): Promise<References> {
  const columns = new Set(IMPORT_COLUMNS[kind].map(({ key }) => key));
  const codes = (...keys: string[]) =>
    distinct(keys.flatMap((key) => (columns.has(key) ? rows.map((row) => codeOf(row, key)) : [])));
  const formalIds = distinct(
    ['entityFormalId', 'formalId'].flatMap((key) =>
      columns.has(key) ? rows.map((row) => cellOf(row, key)?.toLowerCase() ?? null) : [],
    ),
  );
  const [funds, mainFunds, lps, entities, roles] = await session.queries<
    [NamedFund[], Named[], Named[], NamedEntity[], { id: string; title: string }[]]
  >([
    {
      sql: `select id, title, code, currency, classes from funds
            where manager_id = $1 and code = any ($2) and status <> 'Removed'`,
      values: [managerId, kind === 'funds' ? [] : codes('fundCode', 'investorCode', 'toCode')],
    },
    {
      sql: `select id, title, code from main_funds where manager_id = $1 and code = any ($2) and status <> 'Removed'`,
      values: [managerId, codes('mainFund')],
    },
    {
      sql: `select id, title, code from lps where manager_id = $1 and code = any ($2) and status <> 'Removed'`,
      values: [managerId, kind === 'LPs' ? [] : codes('investorCode', 'LPCode', 'toCode')],
    },
    {
      sql: `select id, name, formal_id as "formalId" from entities
            where manager_id = $1 and lower(formal_id) = any ($2) and status <> 'Removed' order by id desc`,
      values: [managerId, formalIds],
    },
    {
      sql: `select id, title from roles where status = 'Active' and (manager_id is null or manager_id = $1) and $2
            order by manager_id nulls first, id`,
      values: [managerId, kind === 'users'],
    },
  ]);
  return {
    fundByCode: byCode(funds),
    mainFundByCode: byCode(mainFunds),
    lpByCode: byCode(lps),
    entityByFormalId: new Map(entities.map((entity) => [entity.formalId.toLowerCase(), entity])),
    filesByName: Map.groupBy(files, ({ name }) => name),
    roleByTitle: new Map(roles.map((role) => [nameKey(role.title), role])),
  };
}

/** What one row names, and what it names in vain. */
export interface RowReferences {
  readonly fund: NamedFund | null;
  readonly mainFund: Named | null;
  readonly investor: { readonly id: string; readonly kind: 'LP' | 'fund' } | null;
  /** The new holder of a transfer. */
  readonly to: { readonly id: string; readonly kind: 'LP' | 'fund' } | null;
  readonly entity: NamedEntity | null;
  readonly file: FileMetadata | null;
  /** The role of a user; null if the row names none. */
  readonly roleId: string | null;
  readonly found: readonly ImportReference[];
  readonly problems: readonly ImportProblem[];
}

const reference = (column: string, why: Why): ImportProblem => importProblem('reference', column, why);

/** Resolves what one row names. Blank cells and cells that cannot be read name nothing, and are reported elsewhere. */
export function referencesOf(references: References, kind: ImportKind, row: ImportRow): RowReferences {
  const found: ImportReference[] = [];
  const problems: ImportProblem[] = [];
  const columns = new Set(IMPORT_COLUMNS[kind].map(({ key }) => key));
  const named = <One extends { id: string; title: string }>(
    column: string,
    collection: ImportReference['collection'],
    known: ReadonlyMap<number, One>,
    noun: string,
  ): One | null => {
    const code = columns.has(column) ? codeOf(row, column) : null;
    if (code === null) return null;
    const one = known.get(code);
    if (!one) {
      problems.push(reference(column, `is not the code of ${noun}`));
      return null;
    }
    found.push({ column, collection, code: String(code), id: one.id, title: one.title });
    return one;
  };
  const fund = named('fundCode', 'funds', references.fundByCode, 'a fund');
  const mainFund = named('mainFund', 'mainFunds', references.mainFundByCode, 'a main fund');
  const classKey = columns.has('fundClassCode') ? cellOf(row, 'fundClassCode') : null;
  if (fund && classKey !== null && !fund.classes.some(({ uniqueKey }) => uniqueKey === classKey)) {
    const keys = fund.classes.map(shownClass);
    const why =
      keys.length > 0 ? reason('unknownClass', { keys, fund: fund.title }) : reason('noClasses', { fund: fund.title });
    problems.push(reference('fundClassCode', why));
  }
  const kindIn = (column: string) => (cellOf(row, column)?.toLowerCase() === 'fund' ? 'fund' : 'LP');
  const investorKind = kindIn('investorType');
  const investor =
    kind === 'users'
      ? named('LPCode', 'LPs', references.lpByCode, 'an LP')
      : investorKind === 'fund'
        ? named('investorCode', 'funds', references.fundByCode, 'a fund')
        : named('investorCode', 'LPs', references.lpByCode, 'an LP');
  const toKind = kindIn('toType');
  const to =
    toKind === 'fund'
      ? named('toCode', 'funds', references.fundByCode, 'a fund')
      : named('toCode', 'LPs', references.lpByCode, 'an LP');
  const formalColumn = kind === 'funds' ? 'entityFormalId' : 'formalId';
  const formalId = columns.has(formalColumn) ? cellOf(row, formalColumn) : null;
  const entity = formalId === null ? null : (references.entityByFormalId.get(formalId.toLowerCase()) ?? null);
  if (entity && formalId !== null) {
    found.push({ column: formalColumn, collection: 'entities', code: formalId, id: entity.id, title: entity.name });
    const name = cellOf(row, kind === 'funds' ? 'title' : 'entityName');
    if (kind === 'LPs' && name !== null && name.toLowerCase() !== entity.name.toLowerCase()) {
      problems.push(reference(formalColumn, `is the formal id of ${entity.name}. Use its name, or another formal id`));
    }
  }
  const roleName = columns.has('role') ? cellOf(row, 'role') : null;
  const role = roleName === null ? null : (references.roleByTitle.get(nameKey(roleName)) ?? null);
  if (roleName !== null && !role)
    problems.push(
      reference(
        'role',
        reason('unknownRole', { roles: [...references.roleByTitle.values()].map(({ title }) => title) }),
      ),
    );
  const fileName = columns.has('fileName') ? cellOf(row, 'fileName') : null;
  const files = fileName === null ? [] : (references.filesByName.get(fileName) ?? []);
  const file = files.length === 1 ? files[0]! : null;
  if (fileName !== null && !file) {
    problems.push(
      reference(
        'fileName',
        files.length === 0 ? 'is not the name of an uploaded PDF' : 'is the name of several uploaded PDFs',
      ),
    );
  }
  if (file) found.push({ column: 'fileName', collection: 'files', code: file.name, id: file.key, title: file.name });
  return {
    fund,
    mainFund,
    investor: investor && { id: investor.id, kind: kind === 'users' ? 'LP' : investorKind },
    to: to && { id: to.id, kind: toKind },
    entity,
    file,
    roleId: role?.id ?? null,
    found,
    problems,
  };
}
