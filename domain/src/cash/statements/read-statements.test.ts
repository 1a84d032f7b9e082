import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../errors/refusal.ts';
import { add, fromScaled, sum } from '../../money/decimal.ts';
import type { BankStatement, BankStatementLine } from '../bank-statement.ts';
import type { CsvMapping } from './csv-mapping.ts';
import { type CsvReading, readStatements } from './read-statements.ts';
import type { StatementProblem } from './refuse-statement.ts';
import { AMERICAN, GERMAN, sample, withColumns } from './testing/samples.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (name: string): string => readFileSync(new URL(`samples/${name}`, import.meta.url), 'utf8');

function problemOf(read: () => unknown): StatementProblem | 'read' {
  try {
    read();
    return 'read';
  } catch (error) {
    const why = isRefusal(error) ? error.reasons.file : undefined;
    if (why?.code !== 'statementFile') throw error;
    return why.data.problem as StatementProblem;
  }
}

/** The amounts of the lines with who they are from or to. */
const shortly = ({ lines }: BankStatement) =>
  lines.map(({ amount, counterpartyName, reference }) => [reference, amount, counterpartyName]);

const line = (fields: Partial<BankStatementLine>): BankStatementLine => ({
  reference: '',
  bookedOn: '2026-03-05',
  valuedOn: '2026-03-05',
  amount: '0',
  charges: null,
  original: null,
  counterpartyName: null,
  counterpartyAccount: null,
  remittance: '',
  endToEndId: null,
  returned: null,
  ...fields,
});

test('a camt.053 in version 02 has charges, a batch, a draw, a reversal and converted dollars', () => {
  expect(readStatements(sample('camt053-02.xml'))).toEqual([
    {
      format: 'camt.053',
      account: 'DE89370400440532013000',
      currency: 'EUR',
      number: '43',
      from: '2026-03-05',
      to: '2026-03-05',
      opening: { date: '2026-03-04', amount: '120000.50' },
      closing: { date: '2026-03-05', amount: '621455.10' },
      lines: [
        line({
          reference: '2026030512345678',
          valuedOn: '2026-03-06',
          amount: '249985.00',
          charges: '15.00',
          original: { amount: '250000.00', currency: 'EUR' },
          counterpartyName: 'Pensionskasse Zürich',
          counterpartyAccount: 'CH9300762011623852957',
          remittance: 'Capital call 9 & fees HCF2-C9-012-4',
          endToEndId: 'HCF2-C9-012-4',
        }),
        line({
          reference: '2026030598765432',
          amount: '300000.00',
          counterpartyName: 'Ridge Endowment',
          remittance: 'RF18539007547034',
        }),
        line({
          reference: '2026030598765432#2',
          amount: '200000.10',
          counterpartyName: 'Stiftung Nordlicht',
          remittance: 'HCF2 C9 014',
        }),
        line({
          reference: '2026030500000007',
          amount: '-250000.00',
          counterpartyName: 'Alder Leasing SARL',
          counterpartyAccount: 'FR7630006000011234567890189',
          remittance: 'Draw 118',
          endToEndId: 'DRAW-118',
        }),
        line({
          reference: '2026030500000008',
          amount: '-1500.50',
          counterpartyName: 'Oak Partners',
          returned: { reason: 'AC04 Account closed' },
        }),
        line({
          reference: '2026030500000009',
          amount: '2970.00',
          original: { amount: '3300.00', currency: 'USD' },
          counterpartyName: 'Lakeside Trust',
          remittance: 'INCOMING FOREIGN PAYMENT',
        }),
      ],
    },
  ]);
});

test('a camt.053 in version 08 has prefixes, records of charges, an overdraft, and an account in yen', () => {
  const [pounds, yen] = readStatements(sample('camt053-08.xml'));
  expect(pounds).toMatchObject({
    account: 'GB29NWBK60161331926819',
    number: '7',
    opening: { amount: '-100.00' },
    lines: [
      {
        reference: 'GB-1',
        charges: '17.50',
        counterpartyName: 'Łódź Pension',
        counterpartyAccount: '12345678',
        remittance: 'Call <9>',
      },
      { reference: '7:2', amount: '-4.50', bookedOn: '2026-03-31', remittance: 'Account fee' },
    ],
  });
  expect(yen).toMatchObject({
    account: '000771',
    currency: 'JPY',
    number: 'S-2',
    closing: { amount: '5000' },
    lines: [],
  });
});

test('a camt.054 has a batch that adds up after its charges, and no balances', () => {
  const [notification] = readStatements(sample('camt054-08.xml'));
  expect(notification).toMatchObject({ format: 'camt.054', opening: null, closing: null });
  expect(shortly(notification!)).toEqual([
    ['B-77-1', '600.00', null],
    ['B-77-2', '400.00', null],
    ['B-77', '-10.00', null],
  ]);
});

test('a camt.054 without a time of its own has that of its file, and is refused without either', () => {
  const text = textOf('camt054-08.xml');
  const untimed = text.replace(/(<Ntfctn>[\s\S]*?)<CreDtTm>[^<]*<\/CreDtTm>/, '$1');
  expect(untimed).not.toBe(text);
  expect(readStatements(encode(untimed))[0]!.to).toBe(readStatements(encode(text))[0]!.to);
  expect(problemOf(() => readStatements(encode(untimed.replace(/<CreDtTm>[^<]*<\/CreDtTm>/, ''))))).toBe('date');
});

const chargesIn = (name: string) =>
  readStatements(sample(name)).flatMap(({ lines }) =>
    lines.map(({ reference, amount, charges, original }) => [
      reference,
      amount,
      charges,
      original && `${original.amount} ${original.currency}`,
    ]),
  );

describe('charges', () => {
  test('of an MT940 are those of :61:, or else of :86:, and what is lacking if none are reported', () => {
    expect(chargesIn('charges.mt940')).toEqual([
      // Stated in both places.
      ['FT-1', '975.00', '25.00', '1000.00 USD'],
      // All that was instructed arrived.
      ['FT-2', '2000.00', null, null],
      ['FT-3', '985.00', '15.00', '1000.00 USD'],
      ['FT-4', '985.00', '10.00', '900.00 EUR'],
      ['FT-5', '1000.00', '12.50', '1012.50 USD'],
      ['FT-6', '-25.00', null, null],
    ]);
  });

  const OF_CAMT = [
    ['OF-ENTRY', '975.00', '25.00', null],
    ['OF-BOTH', '975.00', '25.00', null],
    ['TAXED', '976.20', '23.80', null],
    ['NOT-INCLUDED', '1000.00', null, null],
    ['APART', '1000.00', null, null],
    ['FOREIGN', '990.00', '10.00', '1000.00 EUR'],
    ['REFUNDED', '980.00', '20.00', null],
    ['FEE', '-25.00', null, null],
  ];
  test.each([
    ['charges-camt053-08.xml', OF_CAMT],
    // Version 02 cannot say that a charge is not included.
    ['charges-camt053-02.xml', OF_CAMT.filter(([reference]) => reference !== 'NOT-INCLUDED')],
  ])('of %s are those of the transaction, or else of its entry, with taxes', (name, expected) => {
    expect(chargesIn(name)).toEqual(expected);
  });

  test('of a batch in a camt.054 reduce each of its amounts', () => {
    expect(chargesIn('charges-camt054-08.xml')).toEqual([
      ['BATCH-1', '975.00', '25.00', '1000.00 EUR'],
      ['BATCH-2', '485.00', '15.00', '500.00 EUR'],
    ]);
    const text = textOf('charges-camt054-08.xml').replace('1460.00</Amt>', '1460.01</Amt>');
    expect(problemOf(() => readStatements(encode(text.replace('<Sum>1460.00', '<Sum>1460.01'))))).toBe('batch');
  });

  test('of a BAI2 are debits of their own, and never read from the text of a payer', () => {
    expect(chargesIn('charges.bai2')).toEqual([
      ['FT-1', '975.00', null, null],
      ['FT-2', '-20.00', null, null],
      ['FT-3', '-15.00', null, null],
    ]);
  });
});

test('a German MT940 has numbered details, a return, and an entry date in the next year', () => {
  const [statement] = readStatements(sample('german.mt940'));
  expect(statement).toMatchObject({ account: 'DE89370400440532013000', number: '12/1', from: '2025-12-30' });
  expect(statement!.lines).toEqual([
    line({
      reference: '2026010212345',
      valuedOn: '2025-12-31',
      bookedOn: '2026-01-02',
      amount: '250000.00',
      counterpartyName: 'Pensionskasse der Müllerschaft',
      counterpartyAccount: 'DE12500105170648489890',
      remittance: 'Capital call number nine, second part',
      endToEndId: 'HCF2-C9-012-4',
    }),
    line({
      reference: '2026010212346',
      valuedOn: '2026-01-02',
      bookedOn: '2026-01-02',
      amount: '-1500.50',
      counterpartyName: 'Oak Partners',
      remittance: 'Reject AC04',
      endToEndId: 'E-77',
      returned: { reason: 'RETOURE' },
    }),
    line({
      reference: '12/1:3',
      valuedOn: '2026-01-02',
      bookedOn: '2026-01-02',
      amount: '-12.50',
      remittance: 'Kontofuehrung',
    }),
  ]);
});

test('an MT940 has zeros before amounts, a blank kind, a 30th of February, and text behind a short reference', () => {
  const [statement] = readStatements(sample('habits.mt940'));
  expect(statement).toMatchObject({ account: 'RO49AAAA1B31007593840000', number: '7', opening: { amount: '1000.00' } });
  expect(statement!.lines).toEqual([
    line({
      reference: 'B-1',
      valuedOn: '2024-02-29',
      bookedOn: '2024-03-01',
      amount: '250000.00',
      counterpartyName: 'Fondul Carpati',
      counterpartyAccount: 'GB29NWBK60161331926819',
      remittance: 'Capital call number nine',
      endToEndId: 'HCF2-C9-077-1',
    }),
    line({
      reference: 'B-2',
      valuedOn: '2023-02-28',
      bookedOn: '2023-03-01',
      amount: '-10.00',
      counterpartyName: 'Banca Unu',
      counterpartyAccount: 'GB29NWBK60161331926819',
      remittance: 'Februar Zinsen',
    }),
  ]);
});

test('a camt.053 has balances with the kinds of BAI2, a bank as debtor, and only an ultimate creditor', () => {
  const [statement] = readStatements(sample('habits-camt053.xml'));
  expect(statement).toMatchObject({ opening: { amount: '900.00' }, closing: { amount: '1150.00' } });
  expect(shortly(statement!)).toEqual([
    ['H-A', '300.00', 'Harbor National Bank'],
    ['H-B', '-50.00', 'Alder Leasing'],
  ]);
});

test('an MT940 in two pages has the envelope of SWIFT, charges, what was instructed, and a reversed debit', () => {
  const pages = readStatements(sample('swift.mt940'));
  expect(pages.map(({ number, closing }) => [number, closing?.amount])).toEqual([
    ['99/1', '80334.75'],
    ['99/2', '334.75'],
  ]);
  expect(pages.flatMap(({ lines }) => lines)).toMatchObject([
    {
      reference: 'FT260401',
      amount: '79985.00',
      charges: '15.00',
      original: { amount: '80000.00', currency: 'USD' },
      counterpartyName: 'Ridge Endowment Inc',
      counterpartyAccount: '123456789',
      remittance: 'HCF2-C9-031-7 capital call',
    },
    {
      amount: '500.00',
      remittance: 'Reversal of charges taken in March',
      returned: { reason: 'Reversed by the bank' },
    },
    { amount: '-80000.00', charges: '25.00', counterpartyName: 'Alder Leasing', endToEndId: 'DRAW-118' },
  ]);
});

test('a BAI2 has two accounts, texts over several records, availability over days, and yen', () => {
  const [dollars, yen] = readStatements(sample('two-accounts.bai2'));
  expect(shortly(dollars!)).toEqual([
    ['FT-9001', '249990.00', null],
    ['ACH-1', '10.00', null],
    ['FT-9002', '-150.00', null],
  ]);
  expect(dollars).toMatchObject({
    account: '4001234567',
    number: '2026-04-01',
    opening: { amount: '1000000.00' },
    closing: { amount: '1249850.00' },
    lines: [
      {
        valuedOn: '2026-04-02',
        remittance: 'WIRE IN, ORG=RIDGE ENDOWMENT OBI=CAPITAL CALL 9/ PART 2',
        endToEndId: 'HCF2-C9-012-4',
      },
      {},
      {},
    ],
  });
  expect(yen).toMatchObject({
    currency: 'JPY',
    lines: [{ amount: '-1000', returned: { reason: 'Returned (BAI 555)' } }],
  });
});

test('a German CSV has lines above its header, a balance column and the latest line first', () => {
  expect(readStatements(sample('german.csv'), GERMAN)).toMatchObject([
    {
      opening: { date: '2026-03-04', amount: '900.00' },
      closing: { date: '2026-03-05', amount: '250880.10' },
      lines: [
        { amount: '-19.90', remittance: 'Entgelt' },
        {
          amount: '250000.00',
          valuedOn: '2026-03-06',
          counterpartyName: 'Pensionskasse Zürich',
          remittance: 'Capital call 9; "HCF2-C9-012-4"',
        },
      ],
    },
  ]);
});

test('an American CSV has a column for each side, and equal lines without a reference are counted', () => {
  const [statement] = readStatements(sample('american.csv'), AMERICAN);
  expect(statement!.lines.map(({ reference, amount }) => [reference, amount])).toEqual([
    ['FT1', '1250000.50'],
    ['FT2', '-25.00'],
    ['2026-03-31 -25.00 Account fee', '-25.00'],
    ['2026-03-31 -25.00 Account fee#2', '-25.00'],
  ]);
  expect(statement).toMatchObject({ opening: null, closing: null });
});

const csv = (mapping: Partial<CsvMapping>) => ({
  account: { number: '1', currency: 'EUR' },
  mapping: withColumns({ bookedOn: 'Date', amount: 'Amount', ...mapping }),
});

test.each<[string, string, string, Partial<CsvMapping>]>([
  ['1.234,56', '05.03.2026', '1234.56', { separator: ';', decimal: ',', dateOrder: 'DMY' }],
  ['1.234', '05.03.26', '1234.00', { separator: ';', decimal: ',', dateOrder: 'DMY' }],
  ['-1,234.5', '03/05/2026', '-1234.50', { separator: ';', decimal: '.', dateOrder: 'MDY' }],
  ['(12.00)', '2026-03-05 10:31', '-12.00', { separator: '|', decimal: '.', dateOrder: 'YMD' }],
  ['EUR 7', '20260305', '7.00', { separator: '\t', decimal: '.', dateOrder: 'YMD' }],
])('%s on %s is %s', (amount, date, expected, mapping) => {
  const text = `Date${mapping.separator}Amount\n${date}${mapping.separator}${amount}`;
  expect(readStatements(encode(text), csv(mapping))[0]!.lines[0]).toMatchObject({
    amount: expected,
    bookedOn: '2026-03-05',
  });
});

const SEMICOLON = { separator: ';', decimal: ',', dateOrder: 'DMY' } as const;

test.each<[StatementProblem, string, Partial<CsvMapping>]>([
  ['date', 'Date;Amount\n03/15/2026;1', SEMICOLON],
  ['date', 'Date;Amount\n2026-03-05;1', SEMICOLON],
  ['amount', 'Date;Amount\n05.03.2026;5k', SEMICOLON],
  ['amount', 'Date;Amount\n05.03.2026;1,005', SEMICOLON],
  ['amount', 'Date;Amount\n05.03.2026;USD 5', SEMICOLON],
  ['amount', 'Date;Out;In\n05.03.2026;5;5', { ...SEMICOLON, amount: null, debit: 'Out', credit: 'In' }],
  ['amount', 'Date;Out;In\n05.03.2026;;', { ...SEMICOLON, amount: null, debit: 'Out', credit: 'In' }],
  ['amount', 'Date;Out;In\n05.03.2026;;-5', { ...SEMICOLON, amount: null, debit: 'Out', credit: 'In' }],
  ['currency', 'Date;Amount;Ccy\n05.03.2026;5;USD', { ...SEMICOLON, currency: 'Ccy' }],
  ['mapping', 'Day;Amount\n05.03.2026;5', SEMICOLON],
  ['mapping', 'Date;Amount;Amount\n05.03.2026;5;5', SEMICOLON],
  ['field', 'Date;Amount\n05.03.2026;5;5', SEMICOLON],
  ['field', 'Date;Amount\n', SEMICOLON],
  ['field', 'Date;Amount\n"05.03.2026;5', SEMICOLON],
  ['balance', 'Date;Amount;Left\n05.03.2026;5;10\n06.03.2026;5;16', { ...SEMICOLON, balance: 'Left' }],
])('%s is the problem of the CSV file %j', (problem, text, mapping) => {
  expect(problemOf(() => readStatements(encode(text), csv(mapping)))).toBe(problem);
});

test.each<[StatementProblem, string, string, (text: string) => string]>([
  ['balance', 'camt053-08.xml', 'another closing balance', (text) => text.replace('79878.00', '79878.01')],
  ['balance', 'camt053-08.xml', 'no opening balance', (text) => text.replace('>OPBD<', '>OPAV<')],
  ['balance', 'camt053-08.xml', 'two opening balances', (text) => text.replace('>CLBD<', '>OPBD<')],
  ['currency', 'camt053-08.xml', 'an entry in dollars', (text) => text.replace('Ccy="GBP">4.50', 'Ccy="USD">4.50')],
  ['currency', 'camt053-08.xml', 'no currency', (text) => text.replaceAll('"GBP"', '"QQQ"').replace('GBP', 'QQQ')],
  ['amount', 'camt053-08.xml', 'three decimals', (text) => text.replace('4.50<', '4.505<')],
  ['amount', 'camt053-08.xml', 'a comma', (text) => text.replace('4.50<', '4,50<')],
  ['amount', 'camt053-08.xml', 'an exponent', (text) => text.replace('4.50<', '4.5e1<')],
  [
    'date',
    'camt053-08.xml',
    'the 32nd',
    (text) => text.replace('2026-03-31</c:Dt></c:BookgDt>', '2026-03-32</c:Dt></c:BookgDt>'),
  ],
  ['field', 'camt053-08.xml', 'no side', (text) => text.replace('>DBIT<', '>debit<')],
  ['field', 'camt053-08.xml', 'another status', (text) => text.replace('>BOOK<', '>DONE<')],
  ['field', 'camt053-08.xml', 'no account', (text) => text.replaceAll('c:IBAN', 'c:BBAN')],
  ['field', 'camt053-08.xml', 'another body', (text) => text.replaceAll('BkToCstmrStmt', 'Body')],
  ['pages', 'camt053-08.xml', 'another page', (text) => text.replace('>true</c:LastPgInd>', '>false</c:LastPgInd>')],
  ['pages', 'camt053-08.xml', 'a last page', (text) => text.replace('<c:PgNb>1<', '<c:PgNb>2<')],
  ['version', 'camt053-08.xml', 'a newer version', (text) => text.replace('001.08', '001.14')],
  ['version', 'camt053-08.xml', 'the first version', (text) => text.replace('001.08', '001.01')],
  ['version', 'camt053-08.xml', 'a payment order', (text) => text.replace('camt.053', 'pain.001')],
  ['interim', 'camt053-08.xml', 'a camt.052', (text) => text.replace('camt.053', 'camt.052')],
  ['xml', 'camt053-08.xml', 'a document type', (text) => text.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>')],
  ['xml', 'camt053-08.xml', 'an entity', (text) => text.replace('Account fee', '&b;')],
  ['xml', 'camt053-08.xml', 'a missing end', (text) => text.slice(0, -12)],
  ['xml', 'camt053-08.xml', 'crossed tags', (text) => text.replace('</c:Id></c:Acct>', '</c:Acct></c:Id>')],
  ['xml', 'camt053-08.xml', 'text after the end', (text) => `${text}x`],
  ['xml', 'camt053-08.xml', 'two roots', (text) => `${text}<a/>`],
  [
    'xml',
    'camt053-08.xml',
    'great depth',
    (text) => text.replace('Account fee', `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`),
  ],
  ['encoding', 'camt053-08.xml', 'an unknown encoding', (text) => text.replace('UTF-8', 'EBCDIC')],
  ['batch', 'camt054-08.xml', 'transactions that do not add up', (text) => text.replace('400.00', '401.00')],
  ['totals', 'camt054-08.xml', 'a missing entry', (text) => text.replace('<NbOfNtries>1', '<NbOfNtries>2')],
  ['totals', 'camt054-08.xml', 'another total', (text) => text.replace('<Sum>990.00', '<Sum>991.00')],
  ['balance', 'swift.mt940', 'a missing line', (text) => text.replace(/:61:260401RD.*\n/, '')],
  ['balance', 'swift.mt940', 'a missing balance', (text) => text.replace(/:60F:.*\n/, '')],
  ['balance', 'swift.mt940', 'the reversed debit as a debit', (text) => text.replace('260401RD', '260401D')],
  ['date', 'habits.mt940', 'a 31st of February', (text) => text.replace('240230', '240231')],
  ['date', 'habits.mt940', 'a balance on the 30th of February', (text) => text.replace('C240228', 'C240230')],
  ['balance', 'habits-camt053.xml', 'no opening balance', (text) => text.replace('>010<', '>040<')],
  ['balance', 'habits-camt053.xml', 'two closing balances', (text) => text.replace('>045<', '>015<')],
  ['field', 'swift.mt940', 'two balances', (text) => text.replace(/(:60F:.*\n)/, '$1$1')],
  ['field', 'swift.mt940', 'an unknown field', (text) => text.replace(':86:/SUM/', ':99:X')],
  ['field', 'swift.mt940', 'no account', (text) => text.replace(/:25:.*\n/, '')],
  ['field', 'swift.mt940', 'no number', (text) => text.replace(/:28C:.*\n/, '')],
  ['field', 'swift.mt940', 'a line that is none', (text) => text.replace('260401C79985,', '260401X79985,')],
  ['field', 'swift.mt940', 'a line after the end', (text) => text.replace(':86:/SUM/', ':61:260402D1,NTRFX')],
  ['amount', 'swift.mt940', 'two commas', (text) => text.replace('150,25', '1,50,25')],
  ['amount', 'swift.mt940', 'a balance without a comma', (text) => text.replace('80334,75', '8033475')],
  ['currency', 'swift.mt940', 'another closing currency', (text) => text.replace(':62F:C260402USD', ':62F:C260402EUR')],
  ['currency', 'swift.mt940', 'the letter of another currency', (text) => text.replace('260401C7', '260401CR7')],
  ['date', 'swift.mt940', 'the 31st of February', (text) => text.replace(':61:260401C', ':61:260231C')],
  ['interim', 'swift.mt940', 'an MT942', (text) => text.replace(':60F:', ':34F:USDD0,\n:60F:')],
  ['totals', 'two-accounts.bai2', 'another amount', (text) => text.replace('24999000', '24999100')],
  ['totals', 'two-accounts.bai2', 'a missing record', (text) => text.replace(/88,OBI.*\n/, '')],
  [
    'totals',
    'two-accounts.bai2',
    'another total of credits',
    (text) =>
      text
        .replace('100,25000000', '100,25000001')
        .replaceAll(/\b(275015000|275025000)/g, (total) => String(Number(total) + 1)),
  ],
  ['totals', 'two-accounts.bai2', 'a missing end', (text) => text.replace(/99,.*\n/, '')],
  [
    'balance',
    'two-accounts.bai2',
    'another closing balance',
    (text) =>
      text
        .replace('015,124985000', '015,124985001')
        .replaceAll(/\b(275015000|275025000)/g, (total) => String(Number(total) + 1)),
  ],
  ['field', 'two-accounts.bai2', 'an unknown kind', (text) => text.replace('16,142', '16,742')],
  ['field', 'two-accounts.bai2', 'a test', (text) => text.replace('121000248,1,', '121000248,4,')],
  ['field', 'two-accounts.bai2', 'an unknown record', (text) => text.replace('16,142', '17,142')],
  ['field', 'two-accounts.bai2', 'a second file', (text) => text + text],
  ['version', 'two-accounts.bai2', 'BAI1', (text) => text.replace(',,,2/', ',,,1/')],
  ['amount', 'two-accounts.bai2', 'a decimal point', (text) => text.replace(',1000,S', ',10.00,S')],
])('%s is the problem of %s with %s', (problem, name, _, change) => {
  const text = textOf(name);
  const changed = change(text);
  expect(changed).not.toBe(text);
  expect(problemOf(() => readStatements(encode(changed)))).toBe(problem);
});

test.each<[StatementProblem, string]>([
  ['format', ''],
  ['format', '  \n'],
  ['format', '%PDF-1.7'],
  ['format', 'Date,Amount\n2026-01-01,1\n'],
  ['version', '<html></html>'],
])('%s is the problem of the file %j', (problem, text) => {
  expect(problemOf(() => readStatements(encode(text)))).toBe(problem);
});

test('a file of 16 MB is read, and a larger one is refused', () => {
  const text = textOf('german.mt940').trimEnd();
  const padded = (length: number) => encode(text.padEnd(length, '\n'));
  const bytes = encode(text).length - text.length;
  expect(problemOf(() => readStatements(padded((16 << 20) - bytes)))).toBe('read');
  expect(problemOf(() => readStatements(padded((16 << 20) - bytes + 1)))).toBe('limit');
});

test('a file is read in UTF-8, in Windows-1252 and in UTF-16', () => {
  const text = textOf('german.mt940');
  const western = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const utf16 = Uint8Array.from(`\uFEFF${text}`, (sign) => sign.charCodeAt(0)).length;
  const wide = new Uint8Array(utf16 * 2);
  for (const [index, sign] of [...`\uFEFF${text}`].entries()) {
    wide[2 * index] = sign.charCodeAt(0) & 255;
    wide[2 * index + 1] = sign.charCodeAt(0) >> 8;
  }
  const read = readStatements(encode(text));
  expect(readStatements(western)).toEqual(read);
  expect(readStatements(wide)).toEqual(read);
  expect(read[0]!.lines[0]!.counterpartyName).toBe('Pensionskasse der Müllerschaft');
});

const cents = fc.bigInt({ min: -100_000_000_000_000n, max: 100_000_000_000_000n }).filter((amount) => amount !== 0n);

test('whatever the lines of an MT940 are, they lead from the opening to the closing balance', () => {
  const written = (amount: bigint) => fromScaled(amount < 0n ? -amount : amount, 2).replace('.', ',');
  const side = (amount: bigint) => (amount < 0n ? 'D' : 'C');
  fc.assert(
    fc.property(cents, fc.array(fc.tuple(cents, fc.boolean()), { maxLength: 30 }), (opening, lines) => {
      const closing = lines.reduce((total, [amount]) => total + amount, opening);
      const text = [
        ':20:A',
        ':25:123',
        ':28C:1',
        `:60F:${side(opening)}260101EUR${written(opening)}`,
        // A reversed credit takes money, as a debit does.
        ...lines.map(
          ([amount, isReversed]) =>
            `:61:260102${isReversed ? `R${side(-amount)}` : side(amount)}${written(amount)}NTRFX`,
        ),
        `:62F:${side(closing)}260102EUR${written(closing)}`,
        '-',
      ].join('\n');
      const [read] = readStatements(encode(text));
      expect(read!.lines.map(({ amount }) => amount)).toEqual(lines.map(([amount]) => fromScaled(amount, 2)));
      expect(add(read!.opening!.amount, sum(read!.lines.map(({ amount }) => amount)))).toBe(
        add('0', fromScaled(closing, 2)),
      );
      expect(new Set(read!.lines.map(({ reference }) => reference)).size).toBe(lines.length);
    }),
  );
});

/** Lines of an MT940 whose amounts cancel out. */
const mt940 = (lines: readonly string[], number = 1): string =>
  [':20:A', ':25:123', `:28C:${number}`, ':60F:C260101EUR1,', ...lines, ':62F:C260102EUR1,', '-', ''].join('\n');
const bai2 = (records: readonly string[], account = '03,1,USD'): string => {
  const counted = [`${account}/`, ...records.map((record) => `${record}/`)].join('\n').split('\n').length;
  return [
    '01,A,B,260101,0000,1,,,2/',
    '02,B,A,1,260101,0000,USD,2/',
    `${account}/`,
    ...records.map((record) => `${record}/`),
    `49,,${counted + 1}/`,
    `98,,1,${counted + 3}/`,
    `99,,1,${counted + 5}/`,
  ].join('\n');
};
const LONGEST = 10_000;
const repeated = (text: string, count: number): string[] => Array.from({ length: count }, () => text);

describe('The limits of a file', () => {
  test.each<[string, () => string, () => string, CsvReading?]>([
    [
      'characters of a line of MT940',
      () => mt940([':61:260102D0,NTRFX', `:86:${'x'.repeat(LONGEST - 4)}`]),
      () => mt940([':61:260102D0,NTRFX', `:86:${'x'.repeat(LONGEST - 3)}`]),
    ],
    [
      'characters of a field of MT940 in several lines',
      () => mt940([':61:260102D0,NTRFX', ':86:/', ...repeated('//', (LONGEST - 5) / 3)]),
      () => mt940([':61:260102D0,NTRFX', ':86:/', ...repeated('//', (LONGEST - 5) / 3 + 1)]),
    ],
    [
      'characters of the details of a line of MT940',
      () => mt940([':61:260102D0,NTRFX', ...repeated(':86:', LONGEST)]),
      () => mt940([':61:260102D0,NTRFX', ...repeated(':86:', LONGEST + 1)]),
    ],
    [
      'characters of a record of BAI2 that is continued',
      () => bai2(repeated('88,', (LONGEST - 9) / 4), '03,1,USD,'),
      () => bai2(repeated('88,', (LONGEST - 9) / 4 + 1), '03,1,USD,'),
    ],
    [
      'characters of a cell',
      () => `Date;Amount\n05.03.2026;1;${' '.repeat(LONGEST)}`,
      () => `Date;Amount\n05.03.2026;1;${' '.repeat(LONGEST + 1)}`,
      csv(SEMICOLON),
    ],
    [
      'cells of a row',
      () => `Date;Amount\n05.03.2026;1${';'.repeat(198)}`,
      () => `Date;Amount\n05.03.2026;1${';'.repeat(199)}`,
      csv(SEMICOLON),
    ],
    [
      'lines of all statements of a file',
      () => mt940(repeated(':61:260102D0,NTRFX', 25_000)) + mt940(repeated(':61:260102D0,NTRFX', 25_000), 2),
      () => mt940(repeated(':61:260102D0,NTRFX', 25_000)) + mt940(repeated(':61:260102D0,NTRFX', 25_001), 2),
    ],
  ])('hold for %s, on each side', (_, within, beyond, mapping) => {
    expect(problemOf(() => readStatements(encode(within()), mapping))).toBe('read');
    expect(problemOf(() => readStatements(encode(beyond()), mapping))).toBe('limit');
  });

  test('hold for characters of a text of XML, on each side', () => {
    const camt = (length: number) => encode(textOf('camt053-08.xml').replace('Account fee', 'x'.repeat(length)));
    expect(problemOf(() => readStatements(camt(LONGEST)))).toBe('read');
    expect(problemOf(() => readStatements(camt(LONGEST + 1)))).toBe('xml');
  });

  test.each<[string, string, CsvReading?]>([
    ['commas in a balance of BAI2', bai2([`88,${','.repeat(8_000_000)}`])],
    ['continuations of a balance of BAI2', bai2(repeated('88,,', 200_000))],
    ['details of MT940', mt940([':61:260102D0,NTRFX', ...repeated(':86:', 140_000)])],
    ['lines of details of MT940', mt940([':61:260102D0,NTRFX', ':86:', ...repeated('x', 300_000)])],
    ['slashes in the details of MT940', mt940([':61:260102D0,NTRFX', `:86:/REMI/${'/'.repeat(15_000_000)}x`])],
    ['braces around MT940', `${mt940([])}{1:${'{a}'.repeat(5_000_000)}`],
    ['quotation marks in a cell', `Date;Amount\n05.03.2026;1;a${'"'.repeat(15_000_000)}`, csv(SEMICOLON)],
    ['columns', `Date;Amount${';x'.repeat(7_000_000)}`, csv(SEMICOLON)],
  ])('end the reading of 16 MB of %s', (_, text, mapping) => {
    expect(problemOf(() => readStatements(encode(text), mapping))).toBe('limit');
  });

  test('leave the reading of long texts that are within them short', { timeout: 20_000 }, () => {
    const slashes = mt940(repeated(`:61:260102D0,NTRFX\n:86:/REMI/${'/'.repeat(9_900)}x`, 1_500));
    expect(readStatements(encode(slashes))[0]!.lines[0]!.remittance).toBe('x');
    const zeros = textOf('camt053-08.xml').replace('4.50<', `4.5${'0'.repeat(9_990)}1<`);
    const entry = /<c:Ntry>\s*<c:NtryRef>2[\s\S]*?<\/c:Ntry>/.exec(zeros)?.[0] ?? '';
    const many = zeros.replace(entry, entry.repeat(1_400));
    expect(problemOf(() => readStatements(encode(many)))).toBe('amount');
  });
});

test.each<[string, string, unknown]>([
  ['">4.50<', '">+4.5<', 'read'],
  ['">5000<', '">5000.<', 'read'],
  ['">4.50<', '">4.5.<', 'amount'],
  ['">4.50<', '">.<', 'amount'],
  ['">4.50<', '">.5<', 'balance'],
  ['">4.50<', '">++4.5<', 'amount'],
  ['<c:LastPgInd>true', '<c:LastPgInd>1', 'read'],
  ['<c:LastPgInd>true', '<c:LastPgInd>0', 'pages'],
  ['<c:LastPgInd>true', '<c:LastPgInd>yes', 'field'],
  ['<c:RvslInd>false', '<c:RvslInd>0', 'read'],
  ['<c:RvslInd>false', '<c:RvslInd>no', 'field'],
  ['<c:ChrgInclInd>true', '<c:ChrgInclInd>1', 'read'],
  ['<c:ChrgInclInd>true', '<c:ChrgInclInd>2', 'field'],
])('%s may be written %s: %s', (from, to, expected) => {
  const changed = textOf('camt053-08.xml').replace(from, to);
  expect(changed).toContain(to);
  expect(problemOf(() => readStatements(encode(changed)))).toBe(expected);
});

test('a charge that is not in the amount is left out however its flag is written, and a reversal is one', () => {
  const text = textOf('camt053-08.xml');
  const chargesOf = (flag: string) =>
    readStatements(encode(text.replace('<c:ChrgInclInd>false', `<c:ChrgInclInd>${flag}`)))[0]!.lines[0]!.charges;
  expect(['false', '0', 'true', '1'].map(chargesOf)).toEqual(['17.50', '17.50', '20.50', '20.50']);
  const returnOf = (flag: string) =>
    readStatements(encode(text.replace('<c:RvslInd>false', `<c:RvslInd>${flag}`)))[0]!.lines[0]!.returned;
  expect(['false', '0'].map(returnOf)).toEqual([null, null]);
  expect(['true', '1'].map(returnOf)).toEqual([{ reason: 'Reversed by the bank' }, { reason: 'Reversed by the bank' }]);
});

test('an amount has at most 15 digits before its point and 15 behind it, in BAI2 as elsewhere', () => {
  const dollars = (digits: number, currency = 'USD') =>
    bai2([`16,165,${'1'.repeat(digits)},,,,`], `03,1,${currency},010,0,,`);
  const amountOf = (text: string) => readStatements(encode(text))[0]!.lines[0]!.amount;
  expect(amountOf(dollars(17))).toBe(`${'1'.repeat(15)}.11`);
  expect(problemOf(() => readStatements(encode(dollars(18))))).toBe('amount');
  expect(amountOf(bai2([`16,165,${'7'.padStart(30, '0')},,,,`], '03,1,USD,010,0,,'))).toBe('0.07');
  expect(problemOf(() => readStatements(encode(bai2([`16,165,${'1'.repeat(18).padStart(30, '0')},,,,`]))))).toBe(
    'amount',
  );
  expect(amountOf(dollars(15, 'JPY'))).toBe('1'.repeat(15));
  expect(problemOf(() => readStatements(encode(dollars(16, 'JPY'))))).toBe('amount');
  const balance = (digits: number) => bai2([], `03,1,JPY,010,${'1'.repeat(digits)},,`);
  expect(readStatements(encode(balance(15)))[0]!.opening?.amount).toBe('1'.repeat(15));
  expect(problemOf(() => readStatements(encode(balance(16))))).toBe('amount');
  const pounds = (decimals: string) => textOf('camt053-08.xml').replace('4.50<', `4.5${decimals}<`);
  expect(problemOf(() => readStatements(encode(pounds('0'.repeat(14)))))).toBe('read');
  expect(problemOf(() => readStatements(encode(pounds('0'.repeat(15)))))).toBe('amount');
});
