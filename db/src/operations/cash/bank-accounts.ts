import type { BankAccountCreate, BankAccountUpdate } from '@tapeline/domain/cash/cash.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { BankAccount } from '../../entities/cash.ts';
import { Fund } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { createdMetadata, storeChange } from '../metadata.ts';
import { requirePermission, tenantOf } from '../permission.ts';

export const BANK_ACCOUNTS = listOf('bankAccounts', { BIC: 't.bic' });

export type BankAccountView = BankAccount & {
  /** The opening balance with all payments since the opening date. */
  readonly balance: DecimalText;
  readonly fundTitle: string | null;
  /** The last day that a bank statement reaches. */
  readonly statedTo: string | null;
};

const SHOWN = `
  select a.id, (select title from funds where id = a.fund_id) as "fundTitle",
    (a.opening_balance + coalesce((select sum(case p.direction when 'in' then p.amount else -p.amount end)
    from payments p where p.bank_account_id = a.id and p.status = 'Active' and p.booked_on >= a.opening_date), 0))::text as balance,
    (select max(s.to_date)::text from bank_statements s where s.bank_account_id = a.id) as "statedTo"
  from page join bank_accounts a on a.id = page.id`;

type ShownRow = Pick<BankAccountView, 'id' | 'balance' | 'fundTitle' | 'statedTo'>;

const VIEWS = viewsOf(BANK_ACCOUNTS, [SHOWN], (accounts, [rows = []]): BankAccountView[] => {
  const shown = new Map((rows as ShownRow[]).map((row) => [row.id, row]));
  return accounts.map((account) => ({
    ...account,
    balance: shown.get(account.id)?.balance ?? account.openingBalance,
    fundTitle: shown.get(account.id)?.fundTitle ?? null,
    statedTo: shown.get(account.id)?.statedTo ?? null,
  }));
});
export const listBankAccounts = VIEWS.list;

/** @throws Refusal notFound */
export const getBankAccount = async (session: Session, id: string): Promise<BankAccountView> =>
  VIEWS.one(session, await getDocument(session, BANK_ACCOUNTS, id));

/** What is entered of an account. @throws Refusal badRequest for a fund of another manager, and for amounts in another currency */
async function fieldsOf(session: Session, managerId: string, body: BankAccountCreate | BankAccountUpdate) {
  for (const key of ['openingBalance', 'tolerance'] as const) {
    const problem = documentSumProblem(body.currency, body[key]);
    if (problem) throw new Refusal('badRequest', undefined, { flags: { [key]: problem } });
  }
  if (body.fund && (await session.em.count(Fund, { id: body.fund, managerId, status: { $ne: 'Removed' } })) === 0)
    throw new Refusal('badRequest', 'This fund does not exist', { flags: { fund: 'is not a fund of this manager' } });
  return {
    fundId: body.fund || null,
    title: body.title,
    bankName: body.bankName,
    accountNumber: body.accountNumber,
    bic: body.BIC || null,
    currency: body.currency,
    openingBalance: body.openingBalance.sum,
    openingDate: body.openingDate,
    tolerance: body.tolerance.sum,
  };
}

/** Creates an account. @throws Refusal forbidden without payments/write; badRequest for a number that another account has */
export async function createBankAccount(session: Session, body: BankAccountCreate): Promise<BankAccountView> {
  requirePermission(session, 'payments/write');
  const managerId = await tenantOf(session, body.manager);
  const account = session.em.create(BankAccount, {
    id: newId(session.now),
    managerId,
    ...(await fieldsOf(session, managerId, body)),
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return VIEWS.one(session, account);
}

/**
 * Changes an account. Its currency and its fund stay once it has payments.
 * @throws Refusal notFound; as `createBankAccount` does; badRequest if the version is stale
 */
export async function updateBankAccount(
  session: Session,
  { id, body }: { id: string; body: BankAccountUpdate },
): Promise<BankAccountView> {
  requirePermission(session, 'payments/write');
  const account = await getDocument(session, BANK_ACCOUNTS, id);
  if (account.version !== body.version) throw staleRefusal(account, body.version);
  const fields = await fieldsOf(session, account.managerId, body);
  const isMoved = fields.currency !== account.currency || fields.fundId !== (account.fundId ?? null);
  if (isMoved) {
    const used = await session.query('select from payments where bank_account_id = $1 limit 1', [id]);
    const key = fields.currency === account.currency ? 'fund' : 'currency';
    if (used.length > 0)
      throw new Refusal('badRequest', 'This account has payments, so its currency and its fund stay', {
        flags: { [key]: 'stays, because the account has payments' },
      });
  }
  await storeChange(session, account, fields);
  return VIEWS.one(session, account);
}
