import type { LoanTape } from '@tapeline/db/entities/tapes.ts';
import { latestBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { listCompanies } from '@tapeline/db/operations/people/people.ts';
import { listTapes } from '@tapeline/db/operations/tapes/tapes.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { paths } from '../paths.ts';
import type { Screen } from '../screen.server.ts';
import { tapeState } from '../tapes/tape-words.ts';
import { type LendingException, noteExceptions, tapeExceptions } from './exceptions.ts';
import { poolOverTapes } from './pool-over-tapes.ts';

const MOST = 500;
/** Bars of the chart: a year of monthly tapes. */
const TAPES_SHOWN = 12;

/** Lending at a glance: what each note may draw, where each company's tapes stand, and what needs a look. Only what the actor sees. */
export async function readMonitoring(screen: Screen) {
  const { actor, url } = screen;
  const maySeeTapes = can(actor, 'assets/read');
  const maySeeBases = can(actor, 'borrowingBase/read');
  const found = await screen.db(async (session) => {
    const transactions = (await listTransactions(session, { limit: MOST })).documents;
    const companies = (await listCompanies(session, { sort: { 'entity.name': 1 }, limit: MOST })).documents;
    const tapes = maySeeTapes
      ? (await listTapes(session, { sort: { cutOffDate: -1, code: -1 }, limit: MOST })).documents
      : [];
    const notes = [];
    for (const transaction of transactions) {
      for (const note of transaction.notes) {
        const base = maySeeBases ? await latestBorrowingBase(session, { noteId: note.id }) : null;
        notes.push({ transaction, note, base });
      }
    }
    return { companies, tapes, notes };
  });
  const names = new Map(found.companies.map(({ id, entity }) => [id, entity.name]));

  const notes = found.notes.map(({ transaction, note, base }) => {
    const result = base ? (base.result as unknown as BorrowingBaseResult) : null;
    return {
      id: note.id,
      title: `${names.get(transaction.company) ?? transaction.title}, ${note.title}`,
      company: names.get(transaction.company) ?? transaction.title,
      noteTitle: note.title,
      transactionId: transaction.id,
      baseId: base?.id ?? null,
      cutOffDate: base?.cutOffDate ?? null,
      netBB: base ? { sum: base.netBB, currency: base.currency } : null,
      balance: result?.totals.balance ?? null,
      commitments: result?.totals.commitments ?? null,
      availability: result?.totals.availability ?? null,
      breaches: result?.excessBreachDistribution.filter(({ breached }) => breached).map(({ title }) => title) ?? [],
      warnings: result?.warnings.map(({ message }) => message) ?? [],
    };
  });

  const companies = found.companies.flatMap(({ id, entity }) => {
    const own = found.tapes.filter((tape) => tape.companyId === id);
    const [latest] = own;
    if (!latest) return [];
    const published = own.filter((tape) => tape.generationId);
    return [
      {
        id,
        name: entity.name,
        tapes: own.length,
        inWork: own.filter((tape) => tapeState(tape) === 'Processing').length,
        latest: {
          id: latest.id,
          name: latest.attachment.name,
          cutOffDate: latest.cutOffDate,
          state: tapeState(latest),
        },
        assets: published[0]?.counts?.assets ?? null,
        errored: published[0]?.counts?.errored ?? null,
      },
    ];
  });

  const withPool = companies.filter(({ id }) => found.tapes.some((tape) => tape.companyId === id && tape.statistics));
  const asked = url.searchParams.get('company');
  // Where none is asked for: the company that has most to show.
  const [longest] = [...withPool].sort((a, b) => b.tapes - a.tapes);
  const charted = withPool.find(({ id }) => id === asked) ?? longest ?? null;
  const exceptions: LendingException[] = [
    ...notes.flatMap((note) =>
      noteExceptions(note, note.baseId ? paths.borrowingBase(note.baseId) : paths.transaction(note.transactionId)),
    ),
    ...latestTapes(found.tapes).flatMap((tape) =>
      tapeExceptions({
        id: tape.id,
        name: tape.attachment.name,
        state: tapeState(tape),
        failure: tape.failure ?? null,
        errored: tape.counts?.errored ?? 0,
        dataRows: tape.counts?.dataRows ?? 0,
      }),
    ),
  ];
  return {
    notes,
    companies,
    exceptions,
    maySeeTapes,
    maySeeBases,
    mayUpload: can(actor, 'assets/write'),
    charted: charted
      ? {
          id: charted.id,
          name: charted.name,
          pool: poolOverTapes(
            found.tapes
              .filter((tape) => tape.companyId === charted.id)
              .flatMap((tape) =>
                tape.statistics ? [{ cutOffDate: tape.cutOffDate, statistics: tape.statistics }] : [],
              ),
            TAPES_SHOWN,
          ),
        }
      : null,
    choices: withPool.map(({ id, name }) => ({ id, name })),
  };
}

/** The latest tape of each company: what an older one had wrong has been said. */
function latestTapes(tapes: readonly LoanTape[]): LoanTape[] {
  const seen = new Set<string>();
  return tapes.filter(({ companyId }) => !seen.has(companyId) && Boolean(seen.add(companyId)));
}
