import type { Caller } from '@tapeline/launch/client/caller.ts';
import { fillIn, readData } from '../data.ts';
import { FIRST_FUND } from '../names.ts';
import { enterCovenants } from './enter-covenants.ts';
import { addContract, facilityOf, loadMonths } from './load-months.ts';
import { type DemonstrationDraw, filtered } from './request-draws.ts';

/**
 * A seller of building materials that borrows against its unpaid invoices. Its contract takes invoices of slow debtors
 * out whole, takes off what it owes its debtors, and holds back dilution, interest and rent.
 */
interface Receivables {
  readonly company: { readonly entity: { readonly name: string } };
  readonly facility: { readonly title: string; readonly notes: readonly { readonly title: string }[] };
  readonly draws: readonly DemonstrationDraw[];
}

/**
 * Enters the company, its facility, its sales and credit notes with their covenants, and its ledgers month by month. If
 * an earlier run was interrupted, continues where it stopped.
 */
export async function loadReceivables(
  { manager, analyst, colleague }: { manager: Caller; analyst: Caller; colleague: Caller },
  say: (line: string) => void,
): Promise<void> {
  const { company: body, facility: terms, draws } = readData<Receivables>('hallam');
  const idOf = async (path: string, filter: object) =>
    (await manager.get<{ id: string }[]>(filtered(path, filter)))[0]?.id ?? null;
  const company =
    (await idOf('/crud/companies', { 'entity.name': body.entity.name })) ??
    (await manager.post<{ id: string }>('/crud/companies', body)).id;
  const { title, notes } = terms;
  if ((await idOf('/crud/transactions', { title })) === null) {
    const fund = (await idOf('/crud/funds', { title: FIRST_FUND })) ?? '';
    await manager.post('/crud/transactions', fillIn(terms, { company, fund }));
  }
  const months = { lender: 'hallam', noteTitle: notes[0]?.title ?? '', draws, repayments: [] } as const;
  await addContract(manager, await facilityOf(manager, title), months);
  // The reserve for dilution reads them.
  await enterCovenants({ manager, colleague }, title);
  await loadMonths({ manager, analyst }, await facilityOf(manager, title), months, say);
}
