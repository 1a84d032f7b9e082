import { Draw } from '@tapeline/db/entities/draws.ts';
import { Fund } from '@tapeline/db/entities/funds.ts';
import { Transaction } from '@tapeline/db/entities/lending.ts';
import { OptionList } from '@tapeline/db/entities/lists.ts';
import { Company, User } from '@tapeline/db/entities/people.ts';
import { LegalEntity } from '@tapeline/db/entities/register.ts';
import { newId } from '@tapeline/db/ids.ts';
import { noteStanding } from '@tapeline/db/operations/interest/note-standing.ts';
import { createdMetadata } from '@tapeline/db/operations/metadata.ts';
import { createRepayment } from '@tapeline/db/operations/repayments/repayments.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { compare, round } from '@tapeline/domain/money/decimal.ts';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { type RepaymentPart, repaymentCreateSchema } from '@tapeline/domain/repayments/repayment.schema.ts';
import { LIST_NAMES } from '@tapeline/domain/tables/table.schema.ts';
import { asManager } from './acting.ts';
import { demonstrationFixings } from './base-rates.ts';
import { fillIn, readData } from './data.ts';
import { FIRST_FUND, UPLOADER_EMAIL } from './names.ts';

/** The facilities of the first manager besides Northwind's, whose organizations are there. */
export async function addFacilities(session: Session, managerId: string): Promise<void> {
  const { em } = session;
  const names: Record<string, string> = {};
  for (const { name, id } of await em.find(LegalEntity, { managerId })) names[name] = id;
  for (const { name, id } of await em.find(Company, { managerId })) names[`company ${name}`] = id;
  names[FIRST_FUND] = (await em.findOneOrFail(Fund, { managerId, title: FIRST_FUND })).id;
  for (const facility of readData<unknown[]>('facilities'))
    await createTransaction(session, transactionSchema.parse(fillIn(facility, names)));
}

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
  /** The title of the facility. */
  readonly transaction: string;
  readonly draws: readonly DrawnAmount[];
  readonly repayments: readonly Repaid[];
}

const usd = (sum: string) => ({ sum, currency: 'USD' });

/** Two years of fixings of base rates, and draws with their repayments, as far as they are in the past. */
export async function seedLendingActivity(session: Session, managerId: string): Promise<void> {
  const { em } = session;
  const today = todayOf(session);
  const rates = await em.findOneOrFail(OptionList, { managerId, name: LIST_NAMES.baseRates });
  rates.values = demonstrationFixings(today);
  await em.flush();
  const manager = await em.findOneOrFail(User, { email: UPLOADER_EMAIL });
  for (const { transaction: title, draws, repayments } of readData<Activity[]>('lending')) {
    const transaction = await em.findOneOrFail(Transaction, { managerId, title });
    const borrower = await em.findOne(User, { companyId: transaction.companyId, type: 'company' });
    for (const draw of draws) {
      if (draw.dueDate > today) continue;
      await asManager(session, `${draw.cutOffDate}T14:20:00.000Z`, async (acting) => {
        addDraw(acting, transaction, draw, { requestedBy: borrower?.id ?? null, decidedBy: manager.id });
      });
    }
    for (const repaid of repayments) {
      if (repaid.date > today) continue;
      await asManager(session, `${repaid.date}T16:05:00.000Z`, (acting) => addRepayment(acting, transaction, repaid));
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
