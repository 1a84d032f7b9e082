import { expect, vi } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';

// Before the facility's contract, so that the facility's own note has no borrowing base on this date.
const CUT_OFF_DATE = '2017-03-31';
const CALCULATED_WITHIN_MS = 300_000;

export interface NoteStatus {
  noteTitle: string;
  transactionId: string;
  contractId: string | null;
  status: string;
  failure: string | null;
  borrowingBaseId: string;
}

/** A tape of four loans and a transaction with two notes whose borrowing bases have been calculated. */
export interface TwoNotes {
  readonly tapes: NorthwindTapes;
  readonly tape: string;
  readonly transaction: string;
  /** IDs of the borrowing bases, keyed by the note's title (Senior, Mezzanine). */
  readonly bases: Record<string, string>;
  /** The calculation statuses of the two notes. */
  statuses(): Promise<NoteStatus[]>;
}

export const isOpen = ({ status, failure }: NoteStatus) => status !== 'Completed' && failure === null;

const rate = (defaultRate: number, cases: object[] = []) => ({ advanceRate: { cases, defaultRate } });
const senior = {
  ...rate(80, [{ title: 'Grade A', filter: { 'creditScores.grade': 'A' }, rate: 100 }]),
  eligibilityRules: [{ title: 'FICO is at least 640', filter: { 'creditScores.origination': { gte: 640 } } }],
  concentrationRules: [
    {
      title: 'Financed in any one state at most 1,000',
      groupBy: 'address.state',
      accumulatorField: 'sums.sum',
      equator: { operand: 'lte', unit: 'money', value: 1000 },
    },
    {
      title: 'Any one borrower at most 40 %',
      groupBy: 'borrowerId',
      equator: { operand: 'lte', unit: 'percentage', value: 40 },
    },
  ],
};

/**
 * Creates the fixture for the manager's company Northwind Consumer Loans, which has a facility.
 * @param more cells of further loans of the tape
 * @param terms further parts of the contract of the note Senior
 * @param documents keys of files that are kept with the tape
 */
export async function createTwoNotes(
  manager: ApiClient,
  more: readonly Parameters<NorthwindTapes['loan']>[0][] = [],
  terms: object = {},
  documents: readonly string[] = [],
): Promise<TwoNotes> {
  const tapes = await northwindTapes(manager);
  const { company, loan } = tapes;
  const row = (id: string, change: Parameters<typeof loan>[0]) =>
    loan({
      'Loan ID': id,
      'Borrower ID': id,
      'FICO at Origination': 700,
      Grade: 'A',
      State: 'CA',
      'Original Amount': 1000,
      'Principal Balance': 500,
      ...change,
    });
  const tape = await tapes.publish(
    [
      row('L-1', {}),
      row('L-2', { 'Principal Balance': 700 }),
      row('L-3', { 'FICO at Origination': 612 }),
      row('L-4', { State: 'NY', Grade: 'B' }),
      ...more.map((change, index) => row(`L-${index + 5}`, change)),
    ],
    { cutOffDate: CUT_OFF_DATE, name: 'two-notes.xlsx', documents },
  );
  const [existing] = (await manager.get('/crud/transactions', { filter: { company } })).json;
  const [note] = existing.notes;
  const [mapping] = (await manager.get('/crud/assetsETLs', { filter: { company }, sort: { code: -1 }, limit: 1 })).json;
  const contract = { cutOffDate: '2017-01-01', assetsETL: mapping.id, status: 'Active' };
  const noteOf = (title: string, terms: object) => ({
    title,
    mainCurrency: 'USD',
    security: note.security,
    priority: note.priority,
    holdings: note.holdings,
    contracts: [{ ...contract, ...terms }],
  });
  const made = await manager.post('/crud/transactions', {
    title: 'Two notes',
    type: existing.type,
    industries: existing.industries,
    company,
    notes: [noteOf('Senior', { ...senior, ...terms }), noteOf('Mezzanine', rate(50))],
  });
  expect(made.status, made.text).toBe(201);
  const transaction: string = made.json.id;
  const statuses = async (): Promise<NoteStatus[]> =>
    (await manager.get(`/crud/loanTape/${tape}/BBsStatuses`)).json.filter(
      ({ transactionId }: NoteStatus) => transactionId === transaction,
    );
  expect((await manager.post('/LTP/calculateBB', { loanTapeId: tape })).status).toBe(201);
  const areCalculated = async () =>
    expect((await statuses()).map(({ status }) => status)).toEqual(['Completed', 'Completed']);
  await vi.waitFor(areCalculated, { timeout: CALCULATED_WITHIN_MS, interval: 100 });
  const bases = Object.fromEntries((await statuses()).map((entry) => [entry.noteTitle, entry.borrowingBaseId]));
  return { tapes, tape, transaction, bases, statuses };
}
