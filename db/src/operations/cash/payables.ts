import { obligationReference, type ReferencedObligation } from '@tapeline/domain/capital/payment-reference.ts';
import { accountNumbers, lettersOfCountry } from '@tapeline/domain/cash/payment-files/account-numbers.ts';
import type { PaymentInstruction, PaymentOrder } from '@tapeline/domain/cash/payment-files/payment-order.ts';
import type { PayableBlock, PayableKind } from '@tapeline/domain/cash/payment-runs/kinds.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { PayoutAccount } from '@tapeline/domain/investors/investor-record.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import { type Bank, endingOf, fingerprintOf } from '../investors/payout-accounts.ts';
import { REFERENCED, REFERENCED_JOINS, readableObligations } from './obligations.ts';

/** Something that is owed to somebody, with where it would be paid. */
export interface Payable {
  readonly kind: PayableKind;
  /** Of the distribution or the draw. */
  readonly id: string;
  readonly payee: string;
  readonly amount: DecimalText;
  readonly currency: string;
  readonly dueDate: string;
  readonly reference: string;
  readonly purpose: string;
  readonly fundId: string | null;
  readonly lpId: string | null;
  readonly companyId: string | null;
  readonly transactionId: string | null;
  /** Null if there is no confirmed account. */
  readonly account: { readonly payee: PaymentInstruction['payee']; readonly fingerprint: string } | null;
  /** The last characters of the account's number. */
  readonly ending: string | null;
  /** Why no run can pay it now. */
  readonly block: PayableBlock | null;
  /** The run that pays it; null also if the actor cannot see it. */
  readonly run: { readonly id: string; readonly code: number } | null;
}

/** "Rao Family Trust: bank details on hold". */
export const blockText = ({ payee, block, run }: Pick<Payable, 'payee' | 'block' | 'run'>): string => {
  switch (block) {
    case 'held':
      return `${payee}: the bank details are on hold until a second person confirms them`;
    case 'noAccount':
      return `${payee} has no bank details for this currency`;
    case 'inRun':
      return `${payee}: ${run ? `payment run ${run.code}` : 'another payment run'} pays this already`;
    default:
      return payee;
  }
};

interface Row extends Omit<Payable, 'account' | 'ending' | 'block' | 'reference' | 'purpose'> {
  readonly referenced: ReferencedObligation;
  readonly isInRun: boolean;
  readonly payout: PayoutAccount | null;
  readonly banks: Bank[] | null;
  readonly country: string | null;
  readonly city: string | null;
}

function payableOf({ payout, banks, country, city, referenced, isInRun, ...row }: Row): Payable {
  const bank =
    payout && (banks ?? []).find((one) => one.title === payout.account && fingerprintOf(one) === payout.fingerprint);
  const isConfirmed = payout?.confirmedBy != null;
  const found = bank && isConfirmed ? bank : null;
  return {
    ...row,
    reference: obligationReference(referenced),
    purpose: `${referenced.source.title}, ${row.kind} ${referenced.number}`,
    account: found && {
      fingerprint: fingerprintOf(found),
      payee: {
        ...accountNumbers(found),
        name: found.accountName || row.payee,
        city,
        country: lettersOfCountry(country),
        isPrivate: found.type === 'Private',
        bankName: found.bankName ?? null,
      },
    },
    ending: bank ? endingOf(bank) : null,
    block: isInRun ? 'inRun' : found ? null : bank ? 'held' : 'noAccount',
  };
}

/** One of our accounts, as what is paid from it says. */
export interface PayingAccount {
  readonly id: string;
  readonly managerId: string;
  readonly fundId: string | null;
  readonly title: string;
  readonly currency: string;
  readonly payer: Omit<PaymentOrder['payer'], 'originator'>;
}

/** One of our bank accounts. @throws Refusal notFound */
export async function readPayingAccount(session: ReadSession, id: string): Promise<PayingAccount> {
  const [row] = await session.query<
    Omit<PayingAccount, 'payer'> & {
      number: string;
      bic: string | null;
      bankName: string;
      name: string;
      country: string | null;
      city: string | null;
      banks: Bank[] | null;
    }
  >(
    `select b.id, b.manager_id as "managerId", b.fund_id as "fundId", b.title, b.currency, b.account_number as number, b.bic,
       b.bank_name as "bankName", coalesce(f.title, m.name) as name, e.banks, e.country, e.business #>> '{headQuarters,0,city}' as city
     from bank_accounts b left join managers m on m.id = b.manager_id left join funds f on f.id = b.fund_id
       left join entities e on e.id = coalesce(f.entity_id, m.entity_id)
     where b.id = $1 and b.status = 'Active'`,
    [id],
    { kept: true },
  );
  if (!row) throw new Refusal('notFound', 'This bank account does not exist, or is no longer in use');
  const { number, bic, bankName, name, country, city, banks, ...account } = row;
  const numbers = accountNumbers({ accountNumber: number, swiftCode: bic });
  // The routing number is one of the account's bank details, which are those of the entity.
  const detailed = (banks ?? [])
    .map(accountNumbers)
    .find((one) => one.accountNumber === numbers.accountNumber || (one.iban !== null && one.iban === numbers.iban));
  return {
    ...account,
    payer: {
      ...numbers,
      bic: numbers.bic ?? detailed?.bic ?? null,
      routingNumber: detailed?.routingNumber ?? null,
      name,
      bankName,
      city,
      country: lettersOfCountry(country),
    },
  };
}

/** An account that a run can pay from, with the kind of file that its currency suggests. */
export interface AccountChoice extends Pick<PayingAccount, 'id' | 'managerId' | 'fundId' | 'title' | 'currency'> {
  readonly format: 'NACHA' | 'pain.001.001.09';
}

/** Our bank accounts in use, by title. */
export async function payingAccounts(session: ReadSession): Promise<AccountChoice[]> {
  return session.query<AccountChoice>(
    `select id, manager_id as "managerId", fund_id as "fundId", title, currency,
       case currency when 'USD' then 'NACHA' else 'pain.001.001.09' end as format
     from bank_accounts where status = 'Active' order by title, id`,
  );
}

/**
 * What is owed in the currency of an account, and can be paid from it, due first. Only what comes from documents that the actor may read.
 */
export async function payablesOf(
  session: ReadSession,
  { managerId, fundId, currency }: Pick<PayingAccount, 'managerId' | 'fundId' | 'currency'>,
): Promise<Payable[]> {
  const rows = await session.query<Row>(
    `select o.kind, o.document_id as id, coalesce(l.title, i.title, c.name) as payee, o.open::text as amount, o.currency,
       o.due_date::text as "dueDate", ${REFERENCED} as referenced,
       o.fund_id as "fundId", o.investor_lp_id as "lpId", o.company_id as "companyId", o.transaction_id as "transactionId",
       (select one from jsonb_array_elements(coalesce(l.payout_accounts, c.payout_accounts)) as one where one ->> 'currency' = o.currency) as payout,
       e.banks, e.country, e.business #>> '{headQuarters,0,city}' as city,
       p.run_id is not null as "isInRun", case when r.id is not null then jsonb_build_object('id', r.id, 'code', r.code) end as run
     from obligations o ${REFERENCED_JOINS}
       left join entities e on e.id = coalesce(l.entity_id, c.entity_id)
       left join payment_run_lines p on p.is_open and p.kind = o.kind and p.document_id = o.document_id and p.currency = o.currency
       left join payment_runs r on r.id = p.run_id
     where o.direction = 'out' and o.kind = any ($4) and o.manager_id = $1 and o.currency = $2 and o.open > 0 and account_fits($3, o.fund_ids)
       and coalesce(l.id, i.id, c.id) is not null and coalesce(f.id, t.id) is not null
     order by o.due_date, payee, o.document_id`,
    [managerId, currency, fundId, readableObligations(session.actor)],
    { kept: true },
  );
  return rows.map(payableOf);
}
