import type { BankStatement } from '@tapeline/domain/cash/bank-statement.ts';
import type { CsvMapping } from '@tapeline/domain/cash/statements/csv-mapping.ts';
import { refuseStatement } from '@tapeline/domain/cash/statements/refuse-statement.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { BankAccount } from '../../entities/cash.ts';
import type { Session } from '../../store.ts';
import { storeChange } from '../metadata.ts';
import { requirePermission } from '../permission.ts';

/** The accounts that statements can be imported for, by title. */
export const statementAccounts = (session: Session): Promise<BankAccount[]> =>
  session.em.find(BankAccount, {}, { orderBy: { title: 'asc', id: 'asc' } });

/** @throws Refusal notFound */
export async function statementAccount(session: Session, id: string): Promise<BankAccount> {
  const account = isId(id) ? await session.em.findOne(BankAccount, { id }) : null;
  if (!account) throw new Refusal('notFound');
  return account;
}

/** The accounts of the manager, so that nobody else imports a statement until the transaction ends. */
export async function lockAccounts(session: Session, managerId: string): Promise<BankAccount[]> {
  await session.query('select 1 from bank_accounts where manager_id = $1 order by id for no key update', [managerId]);
  return session.em.find(BankAccount, { managerId }, { orderBy: { id: 'asc' } });
}

/**
 * Remembers how the CSV files of an account are written.
 * @throws Refusal forbidden without payments/write; notFound; badRequest if the version is stale
 */
export async function rememberColumns(
  session: Session,
  { id, version, csvMapping }: { id: string; version: number; csvMapping: CsvMapping },
): Promise<BankAccount> {
  requirePermission(session, 'payments/write');
  const account = await statementAccount(session, id);
  if (account.version !== version) throw staleRefusal(account, version);
  return setColumns(session, account, csvMapping);
}

export async function setColumns(session: Session, account: BankAccount, csvMapping: CsvMapping): Promise<BankAccount> {
  return storeChange(session, account, { csvMapping });
}

/** What tells numbers apart, without the zeros that some banks write before them. */
const bareNumber = (number: string): string =>
  number
    .replaceAll(/[^0-9A-Za-z]/g, '')
    .toUpperCase()
    .replace(/^0+(?=\d)/, '');

/** German accounts as MT940 writes them, bank and account number, are the end of their IBAN. */
function endOfIban(written: string): string | null {
  const [, bank, account = ''] = /^(\d{8})\/(\d{1,10})$/.exec(written) ?? [];
  return bank === undefined ? null : bank + account.padStart(10, '0');
}

/** @throws Refusal badRequest for an account that is not ours, or whose currency is another */
export function accountOf(accounts: readonly BankAccount[], { account, currency, number }: BankStatement): BankAccount {
  const end = endOfIban(account);
  const found = accounts.filter(({ accountNumber }) => {
    const own = bareNumber(accountNumber);
    return own === bareNumber(account) || (end !== null && /^DE\d{20}$/.test(own) && own.endsWith(end));
  });
  if (found.length === 0) {
    throw refuseStatement(
      'account',
      `The file has a statement of the account ${account}, which is none of your bank accounts. Add the account under Cash, or correct its number there, and import the file again.`,
    );
  }
  // Banks give the currencies of an account one number.
  const own = found.find((one) => currency === null || one.currency === currency);
  if (!own) {
    throw refuseStatement(
      'currency',
      `Statement ${number} is in ${currency}, and ${found[0]?.title} is in ${found[0]?.currency}. Add an account in ${currency} with this number under Cash, and import the file again.`,
    );
  }
  return own;
}
