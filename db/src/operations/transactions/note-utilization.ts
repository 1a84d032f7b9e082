import {
  APPROVED_NOT_DUE,
  AVAILABILITY_TODAY,
  AVAILABLE_BASE,
  REQUESTED,
} from '@tapeline/domain/facilities/position-labels.ts';
import { type BaseOfNote, type NoteUtilization, notesUtilization } from '@tapeline/domain/facilities/utilization.ts';
import { createCatalog, type Field } from '@tapeline/domain/filters/catalog.ts';
import { evaluateFilter } from '@tapeline/domain/filters/evaluate.ts';
import { fieldsOf } from '@tapeline/domain/filters/filter.ts';
import { type ListQuery, parseListQuery } from '@tapeline/domain/filters/list-query.schema.ts';
import { groupRows, pageRows, type RowGroup, type RowReader } from '@tapeline/domain/filters/query-rows.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import type { CurrencyRates } from '@tapeline/domain/money/rates.ts';
import type { StoredNote } from '../../entities/lending.ts';
import type { Session } from '../../store.ts';
import { availableTodaySql } from '../borrowing-bases/available-base.ts';
import { DRAW_BASES } from '../certifications/draw-bases.ts';
import { currencyRates } from '../currencies/rates.ts';
import { notePositions } from '../ledger/note-positions.ts';
import type { Page } from '../listing/list-documents.ts';

interface TransactionFacts {
  id: string;
  status: string;
  code: number;
  title: string;
  type: string;
  company: string;
  createdAt: string;
}

/** A note with its figures, and the transaction that it can be filtered by. */
interface UtilizationRow {
  note: NoteUtilization;
  transaction: TransactionFacts;
}

type Reader = (row: UtilizationRow) => string | number | null;

const AMOUNTS = {
  commitments: 'Commitments',
  balance: 'Balance',
  approved: APPROVED_NOT_DUE,
  requested: REQUESTED,
  undrawn: 'Undrawn',
  netBB: 'Net borrowing base',
  availableBase: AVAILABLE_BASE,
  availability: AVAILABILITY_TODAY,
} as const satisfies Partial<Record<keyof NoteUtilization, string>>;

const amountOf = (name: keyof typeof AMOUNTS, row: UtilizationRow): Amount | null => row.note[name];

/** The fields for filters, sorting and groups of notes: their own figures, and fields of their transaction. */
const FIELDS: readonly (readonly [Field, Reader])[] = [
  [{ path: 'transaction', label: 'Facility', type: 'text' }, ({ transaction }) => transaction.id],
  [{ path: 'id', label: 'Facility', type: 'text' }, ({ transaction }) => transaction.id],
  [{ path: 'status', label: 'Status', type: 'text' }, ({ transaction }) => transaction.status],
  [{ path: 'code', label: 'Code', type: 'number' }, ({ transaction }) => transaction.code],
  [{ path: 'metadata.iat', label: 'Created', type: 'instant' }, ({ transaction }) => transaction.createdAt],
  [{ path: 'title', label: 'Title', type: 'text' }, ({ transaction }) => transaction.title],
  [{ path: 'type', label: 'Type', type: 'text' }, ({ transaction }) => transaction.type],
  [{ path: 'company', label: 'Borrower', type: 'text' }, ({ transaction }) => transaction.company],
  [{ path: 'noteId', label: 'Note', type: 'text' }, ({ note }) => note.noteId],
  [{ path: 'noteTitle', label: 'Note title', type: 'text' }, ({ note }) => note.noteTitle],
  [{ path: 'mainCurrency', label: 'Main currency', type: 'text' }, ({ note }) => note.mainCurrency],
  [{ path: 'borrowingBase', label: 'Borrowing base', type: 'text' }, ({ note }) => note.borrowingBase],
  [{ path: 'cutOffDate', label: 'Cut-off date', type: 'date' }, ({ note }) => note.cutOffDate],
  [
    { path: 'utilizationPercent', label: 'Utilization', type: 'number', unit: '%' },
    ({ note }) => note.utilizationPercent,
  ],
  ...(Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[]).flatMap((name): (readonly [Field, Reader])[] => {
    const currency: Field = { path: `${name}.currency`, label: `${AMOUNTS[name]} currency`, type: 'text' };
    const sum: Field = { path: `${name}.sum`, label: AMOUNTS[name], type: 'decimal', currency };
    return [
      [sum, (row) => amountOf(name, row)?.sum ?? null],
      [currency, (row) => amountOf(name, row)?.currency ?? null],
    ];
  }),
];

const CATALOG = createCatalog(FIELDS.map(([field]) => field));
const READERS = new Map(FIELDS.map(([{ path }, read]) => [path, read]));

const READER: RowReader<UtilizationRow> = {
  value: (row, { path }) => READERS.get(path)?.(row) ?? null,
  currency: (row, { path }) => {
    const name = path.endsWith('.sum') ? path.slice(0, -'.sum'.length) : '';
    return name in AMOUNTS ? (amountOf(name as keyof typeof AMOUNTS, row)?.currency ?? null) : undefined;
  },
  id: ({ note }) => note.noteId,
};

/** Transactions that are read at a time, so that only their notes' terms are in memory. */
const BATCH = 500;

const LATEST_BASES = `
  select distinct on (note_id) id, note_id as "noteId", cut_off_date::text as "cutOffDate", currency, net_bb::text as "netBB",
    ${availableTodaySql('b')}::text as "availableBase"
  from ${DRAW_BASES} b where note_id = any ($1)
  order by note_id, cut_off_date desc, code desc`;

export async function utilizationOfNotes(
  session: Session,
  transactions: readonly { id: string; notes: readonly StoredNote[] }[],
  { withBases, rates }: { withBases: boolean; rates?: CurrencyRates },
): Promise<NoteUtilization[]> {
  const noteIds = transactions.flatMap(({ notes }) => notes.map(({ id }) => id));
  const figures = withBases ? await session.query<BaseOfNote>(LATEST_BASES, [noteIds], { kept: true }) : [];
  const positions = await notePositions(session, noteIds);
  return notesUtilization(transactions, { figures, positions }, rates ?? (await currencyRates(session)));
}

/**
 * Every visible note that the query's filter passes, newest transaction first. Omits removed transactions unless the
 * query names a status.
 */
async function readRows(session: Session, query: ListQuery, withBases: boolean): Promise<UtilizationRow[]> {
  const asksStatus = fieldsOf(query.filter).some(({ path }) => path === 'status');
  const rates = await currencyRates(session);
  const rows: UtilizationRow[] = [];
  let before: string | null = null;
  do {
    const batch: (TransactionFacts & { notes: StoredNote[] })[] = await session.query(
      `select id, status, code::int as code, title, type, company_id as company, metadata ->> 'iat' as "createdAt", notes
       from transactions where ($1::boolean or status <> 'Removed') and ($2::text is null or id < $2)
       order by id desc limit ${BATCH}`,
      [asksStatus, before],
    );
    const facts = new Map(batch.map(({ notes: _, ...transaction }) => [transaction.id, transaction]));
    for (const note of await utilizationOfNotes(session, batch, { withBases, rates })) {
      const row = { note, transaction: facts.get(note.transaction)! };
      if (evaluateFilter(query.filter, (field) => READER.value(row, field)) === true) rows.push(row);
    }
    before = batch.length < BATCH ? null : (batch.at(-1)?.id ?? null);
  } while (before !== null);
  return rows;
}

/**
 * A page of visible notes with their utilization. The query's filter, skip, limit and sort apply to notes. Their fields
 * are those of the response (`commitments.sum`, `utilizationPercent`) and of the note's transaction (`title`,
 * `company`).
 * @param options.withBases whether the actor can read borrowing bases; otherwise the figures that come from them are
 *   null
 * @throws Refusal badRequest with flags for the errors in the query
 */
export async function listNoteUtilization(
  session: Session,
  input: unknown,
  options: { withBases: boolean },
): Promise<Page<NoteUtilization>> {
  const query = parseListQuery(input, CATALOG);
  const { rows, total } = pageRows(await readRows(session, query, options.withBases), query, READER);
  return { documents: rows.map(({ note }) => note), total };
}

/** The same as groups of notes, by the query's `groupBy`; null if it has none. @throws Refusal badRequest with flags */
export async function groupNoteUtilization(
  session: Session,
  input: unknown,
  options: { withBases: boolean },
): Promise<{ by: Field | null; groups: RowGroup[]; total: number } | null> {
  const query = parseListQuery(input, CATALOG);
  const { groupBy } = query;
  if (!groupBy) return null;
  return {
    by: groupBy.by,
    ...groupRows(await readRows(session, query, options.withBases), { ...query, groupBy }, READER),
  };
}
