import type { InvestorReference } from '@tapeline/domain/commitments/investor.schema.ts';
import type { DocumentMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { flattenIssues, plainMessage } from '@tapeline/domain/errors/issues.ts';
import { type Reason, reason, reasonOfIssue } from '@tapeline/domain/errors/reason.ts';
import { type OnRefusal, Refusal } from '@tapeline/domain/errors/refusal.ts';
import {
  type ImportCheck,
  type ImportInput,
  type ImportProblem,
  type ImportReference,
  type ImportWarning,
  importProblem,
} from '@tapeline/domain/importer/check.ts';
import {
  IMPORT_STATUSES,
  type ImportKind,
  type ImportRecordStatus,
  isChangeKind,
  KIND_TITLES,
  MAX_ROWS,
} from '@tapeline/domain/importer/kinds.ts';
import { differingRows, type ReadRow, readRows, repeatedRows } from '@tapeline/domain/importer/read-rows.ts';
import type { Session, Warning } from '../../store.ts';
import { callInvestors } from '../capital/contributions.ts';
import { distributeToInvestors } from '../capital/distributions.ts';
import { linesForAnother } from '../capital/issue-approval.ts';
import { addNavs } from '../capital/navs.ts';
import { mailedTableOf } from '../capital/notice-mails.ts';
import { addReports } from '../capital/reports.ts';
import { addCapitalAccounts } from '../capital/statements.ts';
import { warnOfNobody } from '../capital/tell-investors.ts';
import { addCommitments } from '../commitments/change-commitments.ts';
import { addFunds } from '../funds/change-funds.ts';
import { addLPs } from '../investors/investors.ts';
import { rememberOrigin } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';
import { addUsers } from '../users/change-users.ts';
import { BODY_SCHEMAS } from './bodies.ts';
import { CHANGE_WRITERS, dayOfChange, NEEDS_ANOTHER } from './changes.ts';
import { type RowReferences, readReferences, referencesOf } from './references.ts';
import { isOfName, type ResolvedRows, resolveNames } from './resolve-names.ts';
import { type Bodies, type RowUnit, unitsOf } from './row-units.ts';
import { DUPLICATES, investorRole, madeBefore, takenBefore } from './taken-before.ts';
import { fundSumsOf, fundTotalsOf, IMPORTED_TABLES, totalsOf } from './totals.ts';

type Writers = {
  [Kind in ImportKind]: (session: Session, bodies: Bodies[Kind], onRefusal: OnRefusal) => Promise<(Created | null)[]>;
};

/** Whose metadata says that it was imported, unless its operation makes several documents of a body. */
interface Created {
  readonly id: string;
  readonly metadata?: DocumentMetadata;
}

const ofInvestor = <Body extends { investor?: InvestorReference | null | undefined }>(body: Body) => {
  if (!body.investor) throw new Error('An imported document names its investor');
  return body as Body & { investor: InvestorReference };
};

/** The operations that create each kind: the only writers. */
const WRITERS: Writers = {
  funds: addFunds,
  LPs: addLPs,
  users: addUsers,
  LPCommitments: addCommitments,
  contributions: (session, bodies, onRefusal) =>
    callInvestors(
      session,
      bodies.map((body) => {
        if (!body.amount) throw new Error('An imported contribution has an amount');
        return ofInvestor(body as typeof body & { amount: NonNullable<typeof body.amount> });
      }),
      onRefusal,
    ),
  distributions: (session, bodies, onRefusal) => distributeToInvestors(session, bodies.map(ofInvestor), onRefusal),
  navs: addNavs,
  capitalAccounts: addCapitalAccounts,
  reports: addReports,
  ...CHANGE_WRITERS,
};

/** Kinds whose amounts are those of commitments, in the currency of the fund. */
const OF_COMMITMENTS: readonly ImportKind[] = ['LPCommitments', 'closings', 'transfers'];

/** Is told how many rows of an import are written so far. They count once all of them are committed. */
export type OnWritten = (rows: number) => Promise<void>;

/** @throws Refusal badRequest for no rows, or more than an import of the kind has */
export function requireRowCount({ kind, rows }: Pick<ImportInput, 'kind' | 'rows'>): void {
  if (rows.length > 0 && rows.length <= MAX_ROWS[kind]) return;
  throw new Refusal(
    'badRequest',
    `An import has 1 to ${MAX_ROWS[kind]} rows of ${KIND_TITLES[kind].nouns}, not ${rows.length}`,
  );
}

/** Rows to write, and whether they have codes instead of names already: a code may be the external code of another record. */
interface RowsToWrite extends ImportInput {
  readonly hasCodes?: boolean;
}

/**
 * Writes the rows of an import that have no problem, and reports every problem of the others. The caller rolls the
 * transaction back if it is a dry run, or if any row has a problem.
 * @param code the `bulkActionCode` of the new records
 * @param onWritten is told how many rows are written, from time to time
 * @throws Refusal forbidden without `importer/write` and the permission to create such records; badRequest for too many rows
 */
export async function writeRows(
  session: Session,
  input: RowsToWrite,
  code: string,
  onWritten: OnWritten = async () => undefined,
): Promise<ImportCheck> {
  requirePermission(session, 'importer/write');
  const { kind, files = [] } = input;
  requireRowCount(input);
  const status = input.status ?? IMPORT_STATUSES[kind][0];
  if (!IMPORT_STATUSES[kind].includes(status)) {
    throw new Refusal('badRequest', undefined, {
      flags: { status: `must be one of ${IMPORT_STATUSES[kind].join(', ')}` },
    });
  }
  const managerId = await tenantOf(session);
  const before = await totalsOf(session, managerId, kind);
  const resolved: ResolvedRows = input.hasCodes
    ? { rows: input.rows, problems: new Map(), found: [] }
    : await resolveNames(session, managerId, input);
  const { rows } = resolved;
  const problems: ImportProblem[][] = rows.map(() => []);
  const add = (index: number, problem: ImportProblem) => {
    const own = problems[index]!;
    if (!own.some(({ column, message }) => column === problem.column && message === problem.message)) own.push(problem);
  };
  const read = readRows(kind, rows);
  for (const [index, unresolved] of resolved.problems) for (const problem of unresolved) add(index, problem);
  for (const [index, one] of read.entries())
    for (const problem of one.problems) if (!isOfName(resolved, index, problem.column)) add(index, problem);
  for (const [index, repeated] of repeatedRows(kind, read)) {
    for (const { column, of } of repeated) {
      add(index, importProblem('duplicate', column, `is the same as in row ${rows[of]!.row}`));
    }
  }
  if (kind === 'closings') {
    for (const [index, columns] of differingRows(read as readonly ReadRow<'closings'>[])) {
      for (const { column, of } of columns) {
        add(index, importProblem('value', column, `must be as in row ${rows[of]!.row}, of the same closing`));
      }
    }
  }
  for (const [index, column, why] of await takenBefore(session, managerId, kind, read)) {
    add(index, importProblem('duplicate', column, why));
  }
  const known = await readReferences(session, managerId, { kind, rows, files });
  const references = rows.map((row) => referencesOf(known, kind, row));
  for (const [index, column, why] of await madeBefore(session, managerId, { kind, read, references })) {
    add(index, importProblem('duplicate', column, why));
  }
  for (const [index, one] of references.entries()) {
    for (const problem of one.problems) add(index, problem);
    const payload = read[index]!.payload;
    // The other rows of a commitment are checked without it, so that this is not said of them.
    if (
      OF_COMMITMENTS.includes(kind) &&
      payload &&
      'currency' in payload &&
      one.fund &&
      payload.currency !== one.fund.currency
    )
      add(index, importProblem('rule', 'currency', reason('fundCurrency', { currency: one.fund.currency })));
  }
  const fundIds = [...new Set(references.flatMap(({ fund }) => fund?.id ?? []))];
  const ofFunds = { managerId, kind, fundIds };
  const fundsBefore = await fundSumsOf(session, ofFunds);
  const role = kind === 'users' ? await investorRole(session, managerId) : null;
  const units = unitsOf(kind, rows, read, references, problems, { status, role });
  const warnings: ImportWarning[] = [];
  await writeUnits(session, { input: { ...input, rows }, status, code, add, problems, warnings, onWritten }, units);
  await nameDraftCommitments(session, fundIds, references, problems);
  return {
    kind,
    totalCount: rows.length,
    readyCount: problems.filter((own) => own.length === 0).length,
    rows: rows.map(({ file, row }, index) => ({ file, row, problems: problems[index]! })),
    references: shownReferences(references, resolved, input.rows),
    before,
    after: await totalsOf(session, managerId, kind),
    warnings,
    funds: fundTotalsOf(fundsBefore, await fundSumsOf(session, ofFunds)),
  };
}

/** Says of investors whose commitments are drafts that these do not count yet. */
async function nameDraftCommitments(
  session: Session,
  fundIds: readonly string[],
  references: readonly RowReferences[],
  problems: readonly ImportProblem[][],
): Promise<void> {
  const isOf = (problem: ImportProblem) => problem.reason?.code === 'noCommitment';
  if (!problems.some((own) => own.some(isOf))) return;
  const drafts = await session.query<{ fundId: string; investorId: string }>(
    `select distinct fund_id as "fundId", coalesce(investor_lp_id, investor_fund_id) as "investorId"
     from lp_commitments where fund_id = any ($1) and status = 'Draft'`,
    [fundIds],
  );
  const known = new Set(drafts.map(({ fundId, investorId }) => `${fundId} ${investorId}`));
  for (const [index, own] of problems.entries()) {
    const { fund, investor } = references[index]!;
    if (!known.has(`${fund?.id} ${investor?.id}`)) continue;
    for (const [at, problem] of own.entries()) {
      if (isOf(problem)) own[at] = importProblem(problem.kind, problem.column, reason('draftCommitment'));
    }
  }
}

/** What the texts of the file stand for. A code that replaced a name is in no row of the file. */
function shownReferences(
  references: readonly RowReferences[],
  resolved: ResolvedRows,
  rows: ImportInput['rows'],
): ImportReference[] {
  const keyOf = ({ column, collection, code }: ImportReference) => `${column} ${collection} ${code}`;
  const written = new Set(
    rows.flatMap(({ cells }) => Object.entries(cells).map(([column, text]) => `${column} ${text.trim()}`)),
  );
  const named = new Set(resolved.found.map(({ id }) => id));
  const found = references
    .flatMap((one) => one.found)
    .filter(({ column, code, id }) => written.has(`${column} ${code}`) || !named.has(id));
  return [...new Map([...found, ...resolved.found].map((one) => [keyOf(one), one])).values()];
}

interface Writing {
  readonly input: ImportInput;
  readonly status: ImportRecordStatus;
  readonly code: string;
  readonly problems: readonly (readonly ImportProblem[])[];
  /** Gets what looks like a mistake. */
  readonly warnings: ImportWarning[];
  readonly onWritten: OnWritten;
  add(index: number, problem: ImportProblem): void;
}

/** Rows that are written between two reports of the progress. */
const ROWS_AT_ONCE = 500;

interface Ready {
  readonly unit: RowUnit;
  readonly body: Bodies[ImportKind][number];
}

/** Parts of the records that can be written one after the other: the parts of one call stay together. */
function partsOf(ready: readonly Ready[]): Ready[][] {
  const groups = Map.groupBy(ready, ({ unit, body }) =>
    'callNumber' in body ? `${body.fund} ${body.callNumber}` : unit.indexes[0],
  );
  const parts: Ready[][] = [];
  let rows = 0;
  for (const group of groups.values()) {
    if (parts.length === 0 || rows >= ROWS_AT_ONCE) {
      parts.push([]);
      rows = 0;
    }
    parts.at(-1)?.push(...group);
    rows += group.reduce((sum, { unit }) => sum + unit.indexes.length, 0);
  }
  return parts;
}

async function writeUnits(session: Session, writing: Writing, units: readonly RowUnit[]) {
  const { input, add, problems, onWritten } = writing;
  const { kind } = input;
  const report = (unit: RowUnit, path: string, why: Reason) => {
    const { column, item = 0 } = unit.columnOf(path);
    const index = unit.indexes[item] ?? unit.indexes[0]!;
    const kind = DUPLICATES.has(why.code) ? 'duplicate' : 'rule';
    add(index, importProblem(kind, why.code === 'fundCurrency' ? 'currency' : column, why));
  };
  const ready: Ready[] = [];
  for (const unit of units) {
    const parsed = BODY_SCHEMAS[kind].safeParse(unit.body, { error: plainMessage });
    for (const issue of flattenIssues(parsed.error?.issues ?? []))
      report(unit, issue.path.map(String).join('.'), reasonOfIssue(issue));
    if (!parsed.success || unit.indexes.some((index) => problems[index]!.length > 0)) continue;
    ready.push({ unit, body: unit.code === undefined ? parsed.data : { ...parsed.data, code: unit.code } });
  }
  if (isChangeKind(kind))
    ready.sort((one, other) => (dayOf(one) < dayOf(other) ? -1 : dayOf(one) > dayOf(other) ? 1 : 0));
  const hasProblem = ({ unit }: Ready) => unit.indexes.some((index) => problems[index]!.length > 0);
  let written = 0;
  const created = new Map<string, RowUnit>();
  for (const part of partsOf(ready)) {
    if (isChangeKind(kind) && ready.some(hasProblem)) break;
    const documents = await writePart(session, writing, part, report);
    for (const [index, document] of documents.entries()) if (document) created.set(document.id, part[index]!.unit);
    written += part.reduce((sum, { unit }) => sum + unit.indexes.length, 0);
    await onWritten(written);
  }
  const refused = isChangeKind(kind) ? ready.findIndex(hasProblem) : -1;
  if (refused >= 0) {
    const first = ready[refused]!.unit.indexes.find((index) => problems[index]!.length > 0)!;
    for (const { unit } of ready.slice(refused + 1))
      for (const index of unit.indexes) add(index, importProblem('rule', null, notChecked(input.rows[first]!.row)));
  }
  // Once all are written: what is issued together is added up.
  for (const id of await linesForAnother(session, IMPORTED_TABLES[kind], [...created.keys()])) {
    for (const index of created.get(id)?.indexes ?? []) add(index, importProblem('rule', null, NEEDS_ANOTHER));
  }
}

const dayOf = ({ body }: Ready): string => dayOfChange(body as Parameters<typeof dayOfChange>[0]);

/** What is said of a change after one that was refused, on which it can build. */
const notChecked = (row: number) => `Not checked, because it can build on row ${row}. Correct row ${row} first`;

async function writePart(
  session: Session,
  { input, status, code, add, warnings }: Writing,
  ready: readonly Ready[],
  report: (unit: RowUnit, path: string, why: Reason) => void,
): Promise<(Created | null)[]> {
  const { kind } = input;
  const write = WRITERS[kind] as (
    session: Session,
    bodies: Bodies[ImportKind][number][],
    onRefusal: OnRefusal,
  ) => Promise<(Created | null)[]>;
  const warned: Warning[] = [];
  // Warnings are shown with their rows, and confirmed before the import starts.
  const warning: Session = { ...session, warn: (one) => void warned.push(one) };
  const originOf = ({ unit }: Ready): Partial<DocumentMetadata> => {
    const row = input.rows[unit.indexes[0]!]!;
    const attachment = input.attachments[row.file];
    return { bulkActionCode: code, rowNumber: row.row, ...(attachment ? { attachment } : {}) };
  };
  for (const one of ready) rememberOrigin(one.body, originOf(one));
  const created = await write(
    warning,
    ready.map(({ body }) => body),
    ({ reasons, reason: why, message }, index) => {
      const { unit } = ready[index]!;
      const entries = Object.entries(reasons);
      if (entries.length === 0) {
        // A closing is refused with all its rows.
        for (const at of isChangeKind(kind) ? unit.indexes : unit.indexes.slice(0, 1))
          add(at, importProblem('rule', null, why ?? message));
      }
      for (const [path, each] of entries) report(unit, path, each);
    },
  );
  const told = mailedTableOf(kind);
  if (told && status === 'Active') {
    const published = created.flatMap((document) => (document ? [{ id: document.id, status: 'Active' }] : []));
    await warnOfNobody(warning, told, published, { isHistory: true });
  }
  for (const { documentId, message } of warned) {
    const index = ready[created.findIndex((document) => document?.id === documentId)]?.unit.indexes[0];
    const at = index === undefined ? undefined : input.rows[index];
    if (at) warnings.push({ file: at.file, row: at.row, message });
  }
  await stamp(
    session,
    kind,
    created.flatMap((document, index) =>
      document && document.metadata?.bulkActionCode !== code
        ? [{ id: document.id, more: originOf(ready[index]!) }]
        : [],
    ),
  );
  return created;
}

/**
 * Records where documents come from whose operation did not do so: those that existed, and those that several rows make.
 * Plain SQL: it is part of their creation, so their versions stay.
 */
const stamp = async (
  session: Session,
  kind: ImportKind,
  documents: readonly { id: string; more: Partial<DocumentMetadata> }[],
) => {
  if (documents.length === 0) return;
  await session.query(
    `update ${IMPORTED_TABLES[kind]} t set metadata = t.metadata || s.more
     from jsonb_to_recordset($1) as s (id text, more jsonb) where t.id = s.id`,
    [JSON.stringify(documents)],
  );
};
