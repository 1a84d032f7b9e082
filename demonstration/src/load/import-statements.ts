import { addMonths, monthEndOf } from '@tapeline/domain/dates/calendar-day.ts';
import { fromScaled } from '@tapeline/domain/money/decimal.ts';
import { type Caller, sendFile } from '@tapeline/launch/client/caller.ts';

interface Account {
  readonly id: string;
  readonly title: string;
  readonly accountNumber: string;
  readonly currency: string;
  readonly openingBalance: { readonly sum: number };
}

interface Booked {
  readonly bookedOn: string;
  /** Signed, in cents. */
  readonly cents: bigint;
  readonly text: string;
  readonly reference: string | null;
}

interface Payment {
  readonly id: string;
  readonly version: number;
  readonly direction: 'in' | 'out';
  readonly amount: { readonly sum: number };
  readonly bookedOn: string;
  readonly remittance: string;
  readonly bankReference: string | null;
}

/** The address of a list. */
const query = (path: string, parts: Readonly<Record<string, unknown>>): string =>
  `${path}?${Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(JSON.stringify(value))}`)
    .join('&')}`;

const MONTHS = 12;
/** Characters of a line of details. */
const LINE = 65;
/** The month, counted back from the last, whose statement of the second account the bank did not send. */
const MISSING = 3;
/** What is not for an investor or a borrower, by what the bank writes. */
const OWN_ITEMS: Readonly<Record<string, string>> = { 'ACCOUNT MAINTENANCE FEE': 'fee', 'CREDIT INTEREST': 'interest' };
/** The month, counted back from the last, that is closed for the first account. */
const CLOSED = 2;

const centsOf = (sum: number): bigint => BigInt(Math.round(sum * 100));
const written = (cents: bigint): string => fromScaled(cents < 0n ? -cents : cents, 2).replace('.', ',');
const shortDay = (date: string): string => date.slice(2).replaceAll('-', '');

/** What a bank books beside the payments: its fee each month, interest each quarter, and now and then something else. */
function noiseOf(month: string, account: number): Booked[] {
  const end = monthEndOf(`${month}-01`);
  const of = (cents: number, text: string, day = end): Booked => ({
    bookedOn: day,
    cents: BigInt(cents),
    text,
    reference: null,
  });
  const isQuarterEnd = Number(month.slice(5)) % 3 === 0;
  return [
    of(-4_500, 'ACCOUNT MAINTENANCE FEE'),
    ...(isQuarterEnd ? [of(18_642 + 731 * account, 'CREDIT INTEREST')] : []),
    ...(month.endsWith('-05') ? [of(125_000, 'REFUND OF COURIER CHARGES, INVOICE 20817', `${month}-12`)] : []),
  ];
}

/** One statement of MT940. */
function statementOf(account: Account, month: string, opening: bigint, lines: readonly Booked[]): string {
  const balance = (tag: string, date: string, cents: bigint) =>
    `:${tag}:${cents < 0n ? 'D' : 'C'}${shortDay(date)}${account.currency}${written(cents)}`;
  const closing = lines.reduce((total, { cents }) => total + cents, opening);
  return [
    `:20:${month}`,
    `:25:${account.accountNumber.replaceAll(' ', '')}`,
    `:28C:${Number(month.slice(5))}`,
    balance('60F', `${month}-01`, opening),
    ...lines.flatMap(({ bookedOn, cents, text, reference }) => [
      `:61:${shortDay(bookedOn)}${cents < 0n ? 'D' : 'C'}${written(cents)}NTRFNONREF${reference ? `//${reference}` : ''}`,
      `:86:${(text.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? ['']).join('\n')}`,
    ]),
    balance('62F', monthEndOf(`${month}-01`), closing),
    '-',
  ].join('\n');
}

/**
 * Imports a year of bank statements of each account, unless an earlier run has already done so. They have the payments
 * that people recorded, and what a bank books besides, of which the latest is not marked as not ours yet. One statement is
 * missing, and the first account has months that are closed.
 */
export async function importStatements(api: Caller, today: string): Promise<void> {
  if ((await api.get<unknown[]>('/crud/bankStatements?limit=1')).length > 0) return;
  const accounts = await api.get<Account[]>(query('/crud/bankAccounts', { sort: { code: 1 }, limit: 100 }));
  for (const [index, account] of accounts.entries()) {
    const payments = await api.get<Payment[]>(
      query('/crud/payments', { filter: { bankAccount: account.id }, sort: { bookedOn: 1 }, limit: 1000 }),
    );
    const first = addMonths(`${today.slice(0, 7)}-01`, -MONTHS);
    const months = Array.from({ length: MONTHS }, (_, at) => addMonths(first, at).slice(0, 7));
    const recorded = payments.map(({ direction, amount, bookedOn, remittance, bankReference }): Booked => {
      const cents = centsOf(amount.sum);
      return { bookedOn, cents: direction === 'in' ? cents : -cents, text: remittance, reference: bankReference };
    });
    let balance = recorded
      .filter(({ bookedOn }) => bookedOn < first)
      .reduce((total, { cents }) => total + cents, centsOf(account.openingBalance.sum));
    const statements: string[] = [];
    for (const [at, month] of months.entries()) {
      const lines = [...recorded.filter(({ bookedOn }) => bookedOn.startsWith(month)), ...noiseOf(month, index)].sort(
        (a, b) => a.bookedOn.localeCompare(b.bookedOn),
      );
      if (index !== 1 || at !== MONTHS - MISSING) statements.push(statementOf(account, month, balance, lines));
      balance = lines.reduce((total, { cents }) => total + cents, balance);
    }
    const bytes = new TextEncoder().encode(statements.join('\n'));
    const name = `${account.title.replaceAll(/[^A-Za-z0-9]+/g, '-')}.sta`;
    const attachment = await sendFile(api, { bucket: 'bankStatements', name, type: 'text/plain', bytes });
    await api.post('/crud/bankStatements', { attachment });
    await markOwnItems(api, account, months.at(-1)!);
    if (index === 0)
      await api.post(`/crud/bankAccounts/${account.id}/closings`, { month: months[MONTHS - 1 - CLOSED] });
  }
}

/** Marks what the bank took and paid before a month. The rest waits for a person. */
async function markOwnItems(api: Caller, account: Account, month: string): Promise<void> {
  const payments = await api.get<Payment[]>(
    query('/crud/payments', { filter: { bankAccount: account.id }, sort: { bookedOn: 1 }, limit: 1000 }),
  );
  const items = payments.flatMap(({ id, version, bookedOn, remittance }) => {
    const ownItem = OWN_ITEMS[remittance];
    return ownItem !== undefined && bookedOn < `${month}-01` ? [{ id, version, ownItem }] : [];
  });
  if (items.length > 0) await api.put('/crud/payments/ownItems', items);
}
