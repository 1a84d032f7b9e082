import { minorUnitDigits } from '@tapeline/domain/money/currencies.ts';
import { compare, round } from '@tapeline/domain/money/decimal.ts';
import { type RepaymentPart, repaymentCreateSchema } from '@tapeline/domain/repayments/repayment.schema.ts';
import { LIST_NAMES } from '@tapeline/domain/tables/table.schema.ts';
import { Draw } from '../../entities/draws.ts';
import { Transaction } from '../../entities/lending.ts';
import { OptionList } from '../../entities/lists.ts';
import { User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { noteStanding } from '../../operations/interest/note-standing.ts';
import { createdMetadata } from '../../operations/metadata.ts';
import { createRepayment } from '../../operations/repayments/repayments.ts';
import type { Session } from '../../store.ts';
import { demonstrationFixings } from './base-rates.ts';
import { asManager } from './changes.ts';
import { KEYSTONE_LOAN } from './more-facilities.ts';
import { UPLOADER_EMAIL } from './portfolio.ts';

interface DrawnAmount {
  readonly cutOffDate: string;
  readonly dueDate: string;
  readonly sum: string;
  readonly description: string;
}

interface Repaid {
  readonly date: string;
  readonly principal?: string;
  readonly fees?: string;
  /** Whether the interest accrued to the day is paid. */
  readonly interest?: boolean;
}

interface Activity {
  readonly transaction: string;
  readonly draws: readonly DrawnAmount[];
  readonly repayments: readonly Repaid[];
}

const ACTIVITIES: readonly Activity[] = [
  {
    transaction: 'Northwind warehouse facility',
    draws: [
      {
        cutOffDate: '2026-07-02',
        dueDate: '2026-07-08',
        sum: '9500000',
        description: 'First draw: purchase of the closing pool',
      },
      { cutOffDate: '2026-07-20', dueDate: '2026-07-24', sum: '8000000', description: 'Originations of July' },
      {
        cutOffDate: '2026-08-12',
        dueDate: '2026-08-18',
        sum: '5500000',
        description: 'Originations of the first half of August',
      },
      { cutOffDate: '2026-09-21', dueDate: '2026-09-25', sum: '4000000', description: 'Originations of September' },
    ],
    repayments: [
      { date: '2026-07-31', interest: true },
      { date: '2026-08-31', principal: '1250000', interest: true },
      { date: '2026-09-30', principal: '1400000', interest: true, fees: '9166.67' },
      { date: '2026-10-30', principal: '1610000', interest: true, fees: '9479.17' },
    ],
  },
  {
    transaction: KEYSTONE_LOAN,
    draws: [
      { cutOffDate: '2026-03-12', dueDate: '2026-03-16', sum: '9000000', description: 'Closing of the acquisition' },
    ],
    repayments: [
      { date: '2026-03-16', fees: '205000' },
      { date: '2026-06-30', interest: true },
      { date: '2026-09-30', interest: true, principal: '250000' },
    ],
  },
];

const usd = (sum: string) => ({ sum, currency: 'USD' });

/** Two years of fixings of base rates, and draws with their repayments, as far as they are in the past. */
export async function seedLendingActivity(session: Session, managerId: string): Promise<void> {
  const { em } = session;
  const today = session.now.toISOString().slice(0, 10);
  const rates = await em.findOneOrFail(OptionList, { managerId, name: LIST_NAMES.baseRates });
  rates.values = demonstrationFixings(today);
  await em.flush();
  const manager = await em.findOneOrFail(User, { email: UPLOADER_EMAIL });
  for (const { transaction: title, draws, repayments } of ACTIVITIES) {
    const transaction = await em.findOneOrFail(Transaction, { managerId, title });
    const borrower = await em.findOne(User, { companyId: transaction.companyId, type: 'company' });
    for (const draw of draws) {
      if (draw.dueDate > today) continue;
      await asManager(session, { user: manager, managerId, at: `${draw.cutOffDate}T14:20:00.000Z` }, async (acting) => {
        addDraw(acting, transaction, draw, { requestedBy: borrower?.id ?? null, decidedBy: manager.id });
      });
    }
    for (const repaid of repayments) {
      if (repaid.date > today) continue;
      await asManager(session, { user: manager, managerId, at: `${repaid.date}T16:05:00.000Z` }, (acting) =>
        addRepayment(acting, transaction, repaid),
      );
    }
  }
}

function addDraw(
  session: Session,
  transaction: Transaction,
  { cutOffDate, dueDate, sum, description }: DrawnAmount,
  people: { requestedBy: string | null; decidedBy: string },
): void {
  const amounts = [usd(sum)];
  session.em.create(Draw, {
    id: newId(session.now),
    managerId: transaction.managerId,
    companyId: transaction.companyId,
    transactionId: transaction.id,
    noteId: transaction.notes[0]?.id ?? '',
    status: 'Approved',
    cutOffDate,
    dueDate,
    description,
    draws: [{ type: 'Regular', amounts, valueInUSD: sum, amountInMainCurrency: usd(sum) }],
    valueInUsd: sum,
    amountInMainCurrency: usd(sum),
    decidedAt: session.now,
    termsChangedBy: people.requestedBy,
    ...people,
    metadata: createdMetadata(session),
  });
}

async function addRepayment(session: Session, transaction: Transaction, repaid: Repaid): Promise<void> {
  const [note] = transaction.notes;
  if (!note) return;
  const parts: RepaymentPart[] = [];
  if (repaid.principal) parts.push({ kind: 'principal', amount: usd(repaid.principal) });
  if (repaid.interest) {
    const { interest } = await noteStanding(session, { managerId: transaction.managerId, note, asOf: repaid.date });
    const unpaid = interest?.[0]?.unpaid ?? '0';
    if (compare(unpaid, '0') > 0) parts.push({ kind: 'interest', amount: usd(round(unpaid, minorUnitDigits('USD'))) });
  }
  if (repaid.fees) parts.push({ kind: 'fees', amount: usd(repaid.fees) });
  const body = { transaction: transaction.id, noteTitle: note.title, cutOffDate: repaid.date, repayments: parts };
  await createRepayment(session, repaymentCreateSchema.parse(body));
}
