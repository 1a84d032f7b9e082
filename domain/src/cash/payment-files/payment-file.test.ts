import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { anyText } from '../../testing/any-text.ts';
import { latinIdentifier, latinText } from './latin-text.ts';
import { type PaymentFormat, paymentProblems, writePaymentFile } from './payment-file.ts';
import { PAYMENT_FORMAT_LABELS, type PaymentInstruction, type PaymentOrder } from './payment-order.ts';
import { readNacha } from './testing/read-nacha.ts';

const PAIN = ['pain.001.001.03', 'pain.001.001.09'] as const;
const SCHEMAS = Object.fromEntries(
  PAIN.map((version) => [version, readFileSync(new URL(`testing/${version}.xsd`, import.meta.url), 'utf8')]),
);

type Payee = PaymentInstruction['payee'];

const GERMAN: Payee = {
  name: 'Lindqvist Holding',
  city: 'München',
  country: 'DE',
  iban: 'DE89370400440532013000',
  accountNumber: null,
  bic: null,
  routingNumber: null,
  isPrivate: false,
  bankName: 'Commerzbank',
};
const AMERICAN: Payee = {
  name: 'Adeyemi Foundation',
  city: 'Boston',
  country: 'US',
  iban: null,
  accountNumber: '0011223344',
  bic: null,
  routingNumber: '011000015',
  isPrivate: false,
  bankName: 'First Tidewater',
};
const SINGAPOREAN: Payee = {
  ...AMERICAN,
  name: 'Rao Family Trust',
  city: null,
  country: 'SG',
  accountNumber: '7714-0098-1',
  bic: 'DBSSSGSG',
  routingNumber: null,
};

const payment = (payee: Payee, over: Partial<PaymentInstruction> = {}): PaymentInstruction => ({
  reference: 'HCF2-D12-003-4',
  amount: '94500.00',
  payee,
  purpose: 'Harbour Credit Fund II, distribution 12',
  ...over,
});

const EUROS: PaymentOrder = {
  id: 'TL-0001a2b3',
  createdAt: '2026-11-05T09:30:15.250Z',
  executeOn: '2026-11-06',
  currency: 'EUR',
  payer: {
    name: 'Harbour Credit Fund II',
    city: 'Paris',
    country: 'FR',
    iban: 'FR1420041010050500013M02606',
    accountNumber: null,
    bic: 'PSSTFRPPXXX',
    routingNumber: null,
    bankName: 'La Banque',
    originator: null,
  },
  payments: [
    payment(GERMAN),
    payment(SINGAPOREAN, { reference: 'HCF2-D12-004-1', amount: '1250.5' }),
    payment({ ...GERMAN, name: 'Norrland' }, { reference: 'HCF2-D12-005-7', amount: '0.01' }),
  ],
};
const DOLLARS: PaymentOrder = {
  ...EUROS,
  currency: 'USD',
  payer: {
    ...EUROS.payer,
    country: 'US',
    city: 'New York',
    iban: null,
    accountNumber: '4471000012',
    bic: null,
    routingNumber: '021000021',
    originator: '1234567890',
  },
  payments: [
    payment(AMERICAN),
    payment(
      { ...AMERICAN, name: 'José Ångström', routingNumber: '121000248', accountNumber: '99', isPrivate: true },
      { reference: 'HCF2-D12-004-1', amount: '1250.5' },
    ),
    payment({ ...AMERICAN, name: 'Norrland' }, { reference: 'HCF2-D12-005-7', amount: '0.01' }),
  ],
};

const only = (order: PaymentOrder, change: Partial<PaymentInstruction>): PaymentOrder => ({
  ...order,
  payments: [{ ...order.payments[0]!, ...change }],
});
const paid = (order: PaymentOrder, change: Partial<Payee>): PaymentOrder =>
  only(order, { payee: { ...order.payments[0]!.payee, ...change } });
const problemsOf = (format: PaymentFormat, order: PaymentOrder) =>
  paymentProblems(format, order).map(({ text }) => text);
const textOf = (format: PaymentFormat, order: PaymentOrder) => writePaymentFile(format, order).text;
const valuesOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, value]) => value!);

async function schemaErrors(version: (typeof PAIN)[number], xml: string): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'order.xml', contents: xml }],
    schema: [{ fileName: 'schema.xsd', contents: SCHEMAS[version]! }],
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

describe.each(PAIN)('A file in %s', (version) => {
  test.each([
    ['euros to SEPA and elsewhere', EUROS],
    ['dollars to the United States', DOLLARS],
    ['an address that is not known', paid(EUROS, { city: null, country: null })],
    [
      'a name and a purpose that are too long',
      only(paid(EUROS, { name: 'Ñ'.repeat(250) }), { purpose: 'p'.repeat(500) }),
    ],
    [
      'yen, which have no decimal places',
      { ...only(paid(EUROS, SINGAPOREAN), { amount: '5000.00' }), currency: 'JPY' },
    ],
    ['dinars, which have three', { ...only(paid(EUROS, SINGAPOREAN), { amount: '1.005' }), currency: 'KWD' }],
    ['the largest amount', { ...only(paid(EUROS, SINGAPOREAN), { amount: '9999999999999.99' }), currency: 'USD' }],
  ])('is valid by its schema for %s', async (_, order) => {
    expect(problemsOf(version, order)).toEqual([]);
    expect(await schemaErrors(version, textOf(version, order))).toEqual([]);
  });

  test('is refused by its schema if its amount, its day or its account is spoiled', async () => {
    const xml = textOf(version, EUROS);
    for (const [from, to] of [
      ['>94500.00<', '>94500.000001<'],
      ['2026-11-06', '6 November'],
      ['DE89370400440532013000', 'DE'],
    ] as const) {
      expect(xml).toContain(from);
      expect(await schemaErrors(version, xml.replace(from, to))).not.toEqual([]);
    }
  });

  test('counts and adds up each batch and the whole, and tells SEPA from other transfers', () => {
    const xml = textOf(version, EUROS);
    expect(valuesOf(xml, 'NbOfTxs')).toEqual(['3', '2', '1']);
    expect(valuesOf(xml, 'CtrlSum')).toEqual(['95750.51', '94500.01', '1250.5']);
    expect(valuesOf(xml, 'PmtInfId')).toEqual(['TL-0001a2b3-1', 'TL-0001a2b3-2']);
    expect(valuesOf(xml, 'ChrgBr')).toEqual(['SLEV', 'SHAR']);
    expect(xml.match(/<Cd>SEPA<\/Cd>/g)).toHaveLength(1);
    expect(valuesOf(xml, 'InstdAmt')).toEqual(['94500.00', '0.01', '1250.50']);
    expect(valuesOf(xml, 'EndToEndId')).toEqual(['HCF2-D12-003-4', 'HCF2-D12-005-7', 'HCF2-D12-004-1']);
    expect(valuesOf(xml, 'IBAN')).toContain('DE89370400440532013000');
    expect(valuesOf(xml, 'Ctry')).toContain('SG');
  });

  test('names what a bank would refuse, on each side of a limit', () => {
    const sepa = (amount: string) => problemsOf(version, only(EUROS, { amount }));
    expect(sepa('999999999.99')).toEqual([]);
    expect(sepa('1000000000.00')).toEqual([
      'Lindqvist Holding: the amount is above 999999999.99, the most that one transfer can pay',
    ]);
    const dollars = (amount: string) => problemsOf(version, only(DOLLARS, { amount }));
    expect(dollars('9999999999999.99')).toEqual([]);
    expect(dollars('10000000000000.00')).toHaveLength(1);
    const number = (length: number) => problemsOf(version, paid(DOLLARS, { accountNumber: '1'.repeat(length) }));
    expect(number(34)).toEqual([]);
    expect(number(35)).toEqual(['Adeyemi Foundation: the account number has more than 34 characters']);
    expect(problemsOf(version, paid(DOLLARS, { accountNumber: '12_3' }))).toHaveLength(1);
    expect(problemsOf(version, paid(DOLLARS, { routingNumber: null, bic: 'CHASUS33' }))).toEqual([]);
    expect(problemsOf(version, paid(DOLLARS, { routingNumber: null, bic: 'CHASUS13' }))).toHaveLength(1);
    expect(problemsOf(version, paid(DOLLARS, { routingNumber: null }))).toEqual([
      'Adeyemi Foundation: a payment outside SEPA needs the SWIFT code (BIC) or the routing number of the bank',
    ]);
    expect(problemsOf(version, paid(EUROS, { iban: 'DE89370400440532013001' }))).toEqual([
      'Lindqvist Holding: the account has no valid IBAN',
    ]);
  });

  test('has an end-to-end id of at most 35 characters, which no two payments share', () => {
    const long = 'R'.repeat(35);
    const two = (one: string, other: string): PaymentOrder => ({
      ...EUROS,
      payments: [payment(GERMAN, { reference: one }), payment(GERMAN, { reference: other })],
    });
    expect(valuesOf(textOf(version, only(EUROS, { reference: `${long}S` })), 'EndToEndId')).toEqual([long]);
    expect(problemsOf(version, two(`${long.slice(1)}1`, `${long.slice(1)}2`))).toEqual([]);
    expect(problemsOf(version, two(`${long}1`, `${long}2`))).toEqual([
      'Lindqvist Holding: its reference, as banks take it, is also that of Lindqvist Holding',
    ]);
    expect(problemsOf(version, only(EUROS, { reference: '//' }))).toHaveLength(1);
  });
});

test('Whatever the texts are, the file is valid by its schema and has only the characters that banks take', async () => {
  const text = anyText({ minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAIN),
      text,
      text,
      text,
      text,
      async (version, name, city, purpose, reference) => {
        const order = only(paid(EUROS, { name, city }), { purpose, reference });
        fc.pre(paymentProblems(version, order).length === 0);
        const xml = textOf(version, order);
        expect(await schemaErrors(version, xml)).toEqual([]);
        for (const value of [...valuesOf(xml, 'Nm'), ...valuesOf(xml, 'TwnNm'), ...valuesOf(xml, 'Ustrd')]) {
          expect(value).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]+$/);
        }
      },
    ),
    { numRuns: 25 },
  );
});

describe('A NACHA file', () => {
  test('has records of 94 characters in blocks of ten, with a batch for businesses and one for people', () => {
    const text = textOf('NACHA', DOLLARS);
    const lines = text.split('\n');
    expect(lines.pop()).toBe('');
    expect([...new Set(lines.map(({ length }) => length))]).toEqual([94]);
    // Header, two batches of two records each, three entries with an addendum, control.
    expect(lines.findIndex((line) => line.startsWith('99999'))).toBe(12);
    expect(lines).toHaveLength(20);
    const file = readNacha(text);
    expect(file.destination).toBe(' 021000021');
    expect(file.origin).toBe('1234567890');
    expect(file.createdAt).toBe('2611050930');
    expect(file.batches.map(({ entryClass, entries }) => [entryClass, entries.length])).toEqual([
      ['CCD', 2],
      ['PPD', 1],
    ]);
    expect(file.batches.flatMap(({ entries }) => entries)).toEqual([
      {
        code: '22',
        routing: '011000015',
        account: '0011223344',
        cents: 9_450_000n,
        id: 'HCF2-D12-003-4',
        name: 'ADEYEMI FOUNDATION',
        trace: '021000020000001',
        addendum: 'HCF2-D12-003-4 HARBOUR CREDIT FUND II, DISTRIBUTION 12',
      },
      expect.objectContaining({ name: 'NORRLAND', cents: 1n, trace: '021000020000002' }),
      expect.objectContaining({
        name: 'JOSE ANGSTROM',
        routing: '121000248',
        account: '99',
        cents: 125_050n,
        trace: '021000020000003',
      }),
    ]);
  });

  test('is padded to ten records, and has none to add if it ends with a block', () => {
    const linesFor = (count: number) =>
      textOf('NACHA', { ...DOLLARS, payments: Array.from({ length: count }, () => payment(AMERICAN)) })
        .trimEnd()
        .split('\n');
    // Two records of the file, two of the batch and two for each payment.
    expect(linesFor(3)).toHaveLength(10);
    expect(linesFor(3).at(-1)).toMatch(/^9000001000001/);
    expect(linesFor(4)).toHaveLength(20);
    expect(linesFor(4).at(-1)).toBe('9'.repeat(94));
  });

  test('names what a bank would refuse, on each side of a limit', () => {
    const amount = (value: string) => problemsOf('NACHA', only(DOLLARS, { amount: value }));
    expect(amount('99999999.99')).toEqual([]);
    expect(amount('100000000.00')).toEqual([
      'Adeyemi Foundation: the amount is above 99999999.99, the most that one entry can pay',
    ]);
    const total = (last: string) =>
      problemsOf('NACHA', {
        ...DOLLARS,
        payments: [...Array.from({ length: 100 }, () => '99999999.99'), last].map((value) =>
          payment(AMERICAN, { amount: value }),
        ),
      });
    expect(total('0.99')).toEqual([]);
    expect(total('1.00')).toEqual(['The total is above 9999999999.99, the most that one file can pay']);
    const account = (accountNumber: string) => problemsOf('NACHA', paid(DOLLARS, { accountNumber }));
    expect(account('1'.repeat(17))).toEqual([]);
    expect(account('1'.repeat(18))).toEqual(['Adeyemi Foundation: the account number has more than 17 characters']);
    expect(account('12 3')).toHaveLength(1);
    expect(problemsOf('NACHA', paid(DOLLARS, { routingNumber: '011000016' }))).toEqual([
      'Adeyemi Foundation: 011000016 is not the routing number of a bank',
    ]);
    expect(problemsOf('NACHA', paid(DOLLARS, { routingNumber: null }))).toEqual([
      'Adeyemi Foundation: the account has no routing number',
    ]);
    const company = (originator: string | null) =>
      problemsOf('NACHA', { ...DOLLARS, payer: { ...DOLLARS.payer, originator } });
    expect(company('A23456789 ')).toEqual([]);
    expect([company('123456789'), company('12345678901'), company(null)].map(({ length }) => length)).toEqual([
      1, 1, 1,
    ]);
    expect(problemsOf('NACHA', EUROS)).toContain('NACHA files pay US dollars, not EUR');
  });

  test('is read by a reader of the published layout, whatever its payments are', () => {
    const routing = fc
      .string({ unit: fc.constantFrom(...'0123456789'), minLength: 8, maxLength: 8 })
      .filter((eight) => !/^0+$/.test(eight))
      .map((eight) => {
        const sum = [...eight].reduce((total, digit, index) => total + Number(digit) * [3, 7, 1][index % 3]!, 0);
        return `${eight}${(10 - (sum % 10)) % 10}`;
      });
    const anyPayment = fc
      .record({
        cents: fc.bigInt({ min: 1n, max: 9_999_999_999n }),
        isPrivate: fc.boolean(),
        accountNumber: fc.stringMatching(/^[0-9AB][0-9AB-]{0,16}$/),
        routingNumber: routing,
        name: anyText({ minLength: 1, maxLength: 60 }),
      })
      .map(({ cents, name, ...rest }) =>
        payment(
          { ...AMERICAN, ...rest, name: `N${name}` },
          { amount: `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}` },
        ),
      );
    fc.assert(
      fc.property(fc.array(anyPayment, { minLength: 1, maxLength: 60 }), (payments) => {
        const order = { ...DOLLARS, payments };
        const file = readNacha(textOf('NACHA', order));
        const ordered = [
          ...payments.filter(({ payee }) => !payee.isPrivate),
          ...payments.filter(({ payee }) => payee.isPrivate),
        ];
        expect(
          file.batches.flatMap(({ entries }) =>
            entries.map(({ routing, account, cents }) => [routing, account, cents]),
          ),
        ).toEqual(
          ordered.map(({ payee, amount }) => [
            payee.routingNumber,
            payee.accountNumber,
            BigInt(amount.replace('.', '')),
          ]),
        );
      }),
    );
  });
});

describe('A table', () => {
  test('has a row for each payment, with figures as they are and texts that no spreadsheet runs', () => {
    const text = textOf('CSV', paid(EUROS, { name: '=HYPERLINK("https://evil.test")', bankName: '+1, bank' }));
    expect(text).toBe(
      'Reference,Payee,IBAN,Account number,SWIFT code,Routing number,Bank,Country,Amount,Currency,Payment date,From account,Purpose\r\n' +
        `HCF2-D12-003-4,"'=HYPERLINK(""https://evil.test"")",DE89370400440532013000,,,,"'+1, bank",DE,94500.00,EUR,2026-11-06,` +
        'FR1420041010050500013M02606,"Harbour Credit Fund II, distribution 12"\r\n',
    );
  });
});

describe('An order in any format', () => {
  const change = (format: PaymentFormat, payee: Partial<Payee>) =>
    problemsOf(format, paid(format === 'NACHA' ? DOLLARS : EUROS, payee));
  const FORMATS_OF_NUMBERS = ['pain.001.001.03', 'pain.001.001.09', 'CSV'] as const;

  test.each(FORMATS_OF_NUMBERS)('has numbers of accounts and banks that banks take as %s', (format) => {
    const numbered = (numbers: Partial<Payee>) =>
      change(format, { iban: null, accountNumber: '12', bic: 'CHASUS33', ...numbers });
    expect(numbered({})).toEqual([]);
    expect(numbered({ accountNumber: '1'.repeat(34) })).toEqual([]);
    expect(numbered({ accountNumber: '1'.repeat(35) })).toHaveLength(1);
    for (const accountNumber of ['1-2', 'A1/2']) expect(numbered({ accountNumber })).toEqual([]);
    for (const accountNumber of ['-12', '=12', '+12', '1_2', '1<2', '1\n2', '１２', '1/', '1//2', '']) {
      expect(numbered({ accountNumber }), accountNumber).toHaveLength(1);
    }
    const american = (routingNumber: string) => numbered({ bic: null, routingNumber });
    expect(american('021000021')).toEqual([]);
    for (const wrong of ['021000022', '02100002', '<a/>', '']) expect(american(wrong), wrong).toHaveLength(1);
    for (const bic of ['CHASUS3', 'CHASUS13', 'CHASQQ33', 'chasus33', '<a/>', '']) {
      expect(numbered({ bic }), bic).toHaveLength(1);
    }
  });

  test('has the same rules for the account that pays', () => {
    for (const wrong of [{ bic: '<a/>' }, { routingNumber: '<a/>' }, { accountNumber: '<a/>', iban: null }]) {
      for (const format of FORMATS_OF_NUMBERS) {
        const problems = paymentProblems(format, { ...EUROS, payer: { ...EUROS.payer, ...wrong } });
        expect(problems.filter(({ index }) => index === null)).toHaveLength(1);
      }
    }
  });

  test.each(Object.keys(PAYMENT_FORMAT_LABELS) as PaymentFormat[])(
    'is not written as %s if the system itself filled in something wrong',
    (format) => {
      const order = format === 'NACHA' ? DOLLARS : EUROS;
      const written = (wrong: Partial<PaymentOrder>) => () => writePaymentFile(format, { ...order, ...wrong });
      expect(written({ id: 'a'.repeat(30) })).not.toThrow();
      for (const id of ['', 'a'.repeat(31), '<a/>', 'a b']) expect(written({ id }), id).toThrow(RangeError);
      for (const createdAt of ['', '2026-11-05', '2026-11-05T09:30:15<']) {
        expect(written({ createdAt }), createdAt).toThrow(RangeError);
      }
      expect(written({ executeOn: '2026-02-30' })).toThrow(RangeError);
      expect(written({ currency: '<a>' })).toThrow(RangeError);
      expect(written({ payer: { ...order.payer, country: '<>' } })).toThrow(RangeError);
      expect(written({ payments: [{ ...order.payments[0]!, amount: '1e3' }] })).toThrow(RangeError);
    },
  );

  const FORMATS = Object.keys(PAYMENT_FORMAT_LABELS) as PaymentFormat[];

  test.each(FORMATS)('is the same bytes each time as %s', (format) => {
    const order = format === 'NACHA' ? DOLLARS : EUROS;
    expect(writePaymentFile(format, order)).toEqual(writePaymentFile(format, structuredClone(order)));
    expect(writePaymentFile(format, order)).toMatchObject({ count: 3, total: '95750.51' });
  });

  test.each(FORMATS)('is not written as %s while a payee has no account, no name or no amount', (format) => {
    const order = format === 'NACHA' ? DOLLARS : EUROS;
    const texts = (change: PaymentOrder) => problemsOf(format, change);
    expect(texts({ ...order, payments: [] })).toContain('Choose at least one payment');
    expect(texts(paid(order, { iban: null, accountNumber: null }))).toContainEqual(
      expect.stringContaining('has neither an IBAN nor a number'),
    );
    expect(texts(paid(order, { name: '渡辺' }))).toEqual([
      '渡辺: banks take Latin letters only. Enter the account name in Latin letters',
    ]);
    expect(texts(paid(order, { name: 'W 渡辺' }))).toEqual([]);
    expect(texts(only(order, { amount: '0.00' }))).toHaveLength(1);
    expect(texts(only(order, { amount: '0.01' }))).toEqual([]);
    expect(texts(only(order, { amount: '1.005' }))).toHaveLength(1);
    expect(texts(only(order, { amount: '1.0000' }))).toEqual([]);
    expect(() => writePaymentFile(format, only(order, { amount: '0.00' }))).toThrow(RangeError);
  });
});

test.each([
  ['Żółw & Söhne GmbH', 'Zolw + Sohne GmbH'],
  ['Straße, Ærø, Łódź', 'Strasse, Aero, Lodz'],
  ['Αθήνα Ξένος', 'Athina Xenos'],
  ['Щука Юрий', 'Shtuka Yurii'],
  ['Kōwhai Trust “A” – B', "Kowhai Trust 'A' - B"],
  ['  two\t spaces\n', 'two spaces'],
  ['a<b>;c', 'a.b.,c'],
])('%s is written as %s', (text, expected) => {
  expect(latinText(text, 100)).toBe(expected);
});

test('Text is cut where the schema ends, and identifiers lose their slashes at the ends and doubled ones', () => {
  expect(latinText('abcdef', 6)).toBe('abcdef');
  expect(latinText('abcdefg', 6)).toBe('abcdef');
  expect(latinText('abcde fg', 6)).toBe('abcde');
  expect(latinIdentifier('/a//b/', 35)).toBe('a/b');
});
