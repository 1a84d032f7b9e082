import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { listFunds } from '@tapeline/db/operations/funds/funds.ts';
import { listMappings } from '@tapeline/db/operations/mappings/mappings.ts';
import { listCompanies } from '@tapeline/db/operations/people/people.ts';
import { contractsOf } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { termsOf } from '../contracts/contract-page.server.ts';
import type { Screen } from '../screen.server.ts';
import { notesUtilization } from './utilization.ts';

/** One transaction with the note that the address names (the first where it names none). */
export async function viewTransaction({ db, params, url, actor }: Screen) {
  const canReadBases = can(actor, 'borrowingBase/read');
  return db(async (session) => {
    const { managerId, ...transaction } = await getTransaction(session, params.id ?? '');
    const note = transaction.notes.find((other) => other.id === url.searchParams.get('note')) ?? transaction.notes[0];
    if (!note) throw new Refusal('notFound');
    const series = canReadBases ? await listBorrowingBaseFigures(session, { noteIds: [note.id] }) : [];
    const [utilization] = notesUtilization([{ id: transaction.id, notes: [note] }], series);
    if (!utilization) throw new Refusal('notFound');
    const contracts = (await contractsOf(session, [transaction.id])).filter((other) => other.noteId === note.id);
    const { documents: companies } = await listCompanies(session, {
      filter: JSON.stringify({ id: transaction.company }),
    });
    const funds = can(actor, 'funds/read') ? (await listFunds(session, { limit: 500 })).documents : [];
    const canWrite = can(actor, 'transactions/write');
    // Only a note's first contract is begun here, and only it has to choose a mapping.
    const mappings =
      canWrite && contracts.length === 0 && can(actor, 'assets/ETL/read')
        ? (
            await listMappings(session, {
              filter: JSON.stringify({ company: transaction.company }),
              sort: { code: -1 },
              limit: 50,
            })
          ).documents
        : [];
    const { contracts: _, ...terms } = note;
    return {
      transaction: {
        id: transaction.id,
        title: transaction.title,
        status: transaction.status,
        industries: transaction.industries,
        notes: transaction.notes.map(({ id, title }) => ({ id, title })),
      },
      type: transaction.type.kind === 'equity' ? transaction.type.equityType : transaction.type.loanType,
      companyName: companies[0]?.entity.name ?? null,
      note: terms,
      priority: note.priority ?? null,
      utilization,
      series,
      contracts: contracts.toReversed().map((contract) => {
        const body = termsOf(contract);
        return {
          id: contract.id,
          revision: contract.revision,
          status: contract.status,
          title: body.title ?? '',
          cutOffDate: contract.cutOffDate,
          activatedAt: contract.activatedAt?.toISOString() ?? null,
          closedAt: contract.closedAt?.toISOString() ?? null,
          ruleCount: body.eligibilityRules.length + body.performanceRules.length + body.concentrationRules.length,
        };
      }),
      holdings: (note.holdings ?? []).map((holding) => ({
        name:
          holding.holding ??
          funds.find(({ fund }) => fund.id === holding.fund)?.fund.title ??
          'A fund out of your sight',
        targetPercentage: holding.targetPercentage,
        actualPercentage: holding.actualPercentage,
      })),
      canReadBases,
      canWrite,
      mappings: mappings.map(({ id, mappingVersion, loanTapeSheetName }) => ({
        id,
        version: mappingVersion,
        sheet: loanTapeSheetName,
      })),
    };
  });
}

export type TransactionPage = Awaited<ReturnType<typeof viewTransaction>>;
