import type { BankStatementLine } from '@tapeline/domain/cash/bank-statement.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { BankStatement } from '../../entities/bank-statements.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';

const ACCOUNT = (column: string) => `(select ${column} from bank_accounts where bank_accounts.id = t.bank_account_id)`;

export const BANK_STATEMENTS = listOf(
  'bankStatements',
  { 'bankAccount.title': ACCOUNT('title') },
  { order: 't.to_date desc, t.id desc' },
);

/** What is missing between a statement and the one before it. */
export interface StatementGap {
  /** The number of the statement before. */
  readonly after: string;
  /** What the lines in between add up to. Zero where only the numbers tell. */
  readonly amount: DecimalText;
}

export type BankStatementView = BankStatement & {
  readonly bankAccount: { readonly id: string; readonly title: string; readonly accountNumber: string };
  readonly gap: StatementGap | null;
};

/**
 * The statement before each of the page, in the order of their balances, where it does not lead to it: another closing
 * balance, or in one year numbers that do not follow.
 */
const SELECT_GAPS = `
  select page.id, a.id as "accountId", a.title, a.account_number as "accountNumber", before.number as after,
    case when before.closing_amount <> page.opening_amount
      or (before.number ~ '^[0-9]{1,9}$' and page.number ~ '^[0-9]{1,9}$'
        and date_part('year', before.to_date) = date_part('year', page.to_date)
        and page.number::int > before.number::int + 1)
      then (page.opening_amount - before.closing_amount)::text end as missing
  from page join bank_accounts a on a.id = page.bank_account_id
    left join lateral (
      select s.number, s.to_date, s.closing_amount from bank_statements s
      where s.bank_account_id = page.bank_account_id and s.closing_amount is not null and s.opening_amount is not null
        and page.opening_amount is not null and page.closing_amount is not null
        and (s.to_date, s.id) < (page.to_date, page.id)
      order by s.to_date desc, s.id desc limit 1
    ) before on true`;

type Found = {
  id: string;
  accountId: string;
  title: string;
  accountNumber: string;
  after: string | null;
  missing: DecimalText | null;
};

const VIEWS = viewsOf(BANK_STATEMENTS, [SELECT_GAPS], (statements, [rows = []]): BankStatementView[] => {
  const found = new Map((rows as Found[]).map((row) => [row.id, row]));
  return statements.map((statement) => {
    const { title = '', accountNumber = '', after = null, missing = null } = found.get(statement.id) ?? {};
    return {
      ...statement,
      bankAccount: { id: statement.bankAccountId, title, accountNumber },
      gap: after === null || missing === null ? null : { after, amount: missing },
    };
  });
});

export const listBankStatements = VIEWS.list;
export const viewsOfStatements = VIEWS.all;

/** @throws Refusal notFound */
export const getBankStatement = async (session: Session, id: string): Promise<BankStatementView> =>
  VIEWS.one(session, await getDocument(session, BANK_STATEMENTS, id));

export type StoredLine = Omit<BankStatementLine, 'charges' | 'returned'> & {
  readonly paymentId: string | null;
  readonly returnReason: string | null;
};

const LINES = `
  select l.payment_id as "paymentId", l.reference, l.booked_on::text as "bookedOn", l.valued_on::text as "valuedOn",
    l.amount::text as amount, l.counterparty_name as "counterpartyName", l.counterparty_account as "counterpartyAccount",
    l.remittance, l.end_to_end_id as "endToEndId", l.return_reason as "returnReason",
    case when l.original_amount is not null
      then jsonb_build_object('amount', l.original_amount::text, 'currency', l.original_currency) end as original
  from bank_statement_lines l where l.statement_id = $1`;

/** A page of the lines of a statement, as the bank has them. */
export const linesOfStatement = (
  session: ReadSession,
  { id, skip = 0, limit }: { id: string; skip?: number; limit?: number },
): Promise<(StoredLine & Row)[]> =>
  isId(id)
    ? session.query(`${LINES} order by l.sequence offset $2 limit $3`, [id, skip, limit ?? null])
    : Promise.resolve([]);
