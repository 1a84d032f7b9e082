import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { obligationReference } from '../capital/payment-reference.ts';
import { add, compare, sum } from '../money/decimal.ts';
import { type MatchedPayment, type MatchSuggestion, type OpenObligation, suggestMatches } from './matching.ts';

const referenceOf = (call: number, investor: number): string =>
  obligationReference({
    kind: 'contribution',
    source: { title: 'Harbour Credit Fund', code: 2 },
    number: String(call),
    party: { kind: 'LP', code: investor },
    classPlace: null,
  });

const ACCOUNT = 'DE44500105175407324931';

const obligation = (more: Partial<OpenObligation> = {}): OpenObligation => ({
  id: 'norrland-9',
  direction: 'in',
  open: '1000.00',
  currency: 'USD',
  dueDate: '2026-10-14',
  reference: referenceOf(9, 12),
  party: 'norrland',
  partyName: 'Norrland Pension Fund AB',
  groupName: null,
  partyAccounts: [ACCOUNT],
  fundIds: ['harbour'],
  ...more,
});

const payment = (more: Partial<MatchedPayment> = {}): MatchedPayment => ({
  id: 'payment',
  direction: 'in',
  amount: '1000.00',
  currency: 'USD',
  charges: null,
  counterpartyName: 'NORRLAND PENSION FUND',
  counterpartyAccount: 'DE44 5001 0517 5407 3249 31',
  remittance: `capital call ${referenceOf(9, 12).toLowerCase().replaceAll('-', ' ')} thank you`,
  endToEndId: null,
  accountFund: 'harbour',
  valuedOn: '2026-10-14',
  tolerance: '50.00',
  ...more,
});

const suggestionsOf = (
  more: Partial<MatchedPayment>,
  obligations: readonly OpenObligation[] = [obligation()],
  others: readonly MatchedPayment[] = [],
): readonly MatchSuggestion[] => suggestMatches([payment(more), ...others], obligations).get('payment')!;

const paidBy = ({ allocations }: MatchSuggestion): string[] => allocations.map((each) => each.obligation);
const isAutomatic = (...given: Parameters<typeof suggestionsOf>): boolean =>
  suggestionsOf(...given).some((each) => each.isAutomatic);

/** States nothing and comes from nowhere known. */
const SILENT = { remittance: '', counterpartyAccount: null, counterpartyName: null } as const;

describe('an account of a fund', () => {
  test('pays what that fund is owed, and one of the manager what every fund is owed', () => {
    expect(suggestionsOf({})).toHaveLength(1);
    expect(suggestionsOf({ accountFund: null })).toHaveLength(1);
    expect(suggestionsOf({ accountFund: 'quay' })).toEqual([]);
    expect(suggestionsOf({ accountFund: 'quay' }, [obligation({ fundIds: ['harbour', 'quay'] })])).toHaveLength(1);
    expect(suggestionsOf({ accountFund: 'quay' }, [obligation({ fundIds: null })])).toHaveLength(1);
  });

  test('is not suggested to pay a part, a sum or a whole of another fund', () => {
    const two = ['norrland-9', 'norrland-10'].map((id) => obligation({ id, reference: null, fundIds: ['quay'] }));
    const given: Partial<MatchedPayment>[] = [
      { remittance: '', amount: '2000.00' },
      { remittance: '', amount: '400.00' },
      { remittance: '' },
    ];
    for (const more of given) {
      expect(suggestionsOf(more, two)).toEqual([]);
      expect(suggestionsOf({ ...more, accountFund: 'quay' }, two)).not.toEqual([]);
    }
    const half = payment({ id: 'other', remittance: '', amount: '600.00', accountFund: 'harbour' });
    const parts = (accountFund: string) =>
      suggestionsOf({ remittance: '', amount: '400.00', accountFund: 'quay' }, two.slice(0, 1), [
        { ...half, accountFund },
      ]);
    expect(parts('quay').map(({ together }) => together)).toContainEqual(['other']);
    expect(parts('harbour').map(({ together }) => together)).not.toContainEqual(['other']);
  });
});

describe('the end-to-end id', () => {
  test('states the reference as the remittance does, and nothing that is made of both', () => {
    const reference = referenceOf(9, 12);
    const silent = { remittance: 'thank you' };
    expect(suggestionsOf(silent)[0]).toMatchObject({ evidence: { reference: 'none' } });
    expect(suggestionsOf({ ...silent, endToEndId: reference.replaceAll('-', '') })[0]).toMatchObject({
      reason: 'reference',
      isAutomatic: true,
    });
    expect(suggestionsOf({ endToEndId: referenceOf(8, 12) }).some((each) => each.isAutomatic)).toBe(false);
    const [head = '', tail = ''] = [reference.slice(0, 8), reference.slice(8)];
    expect(suggestionsOf({ remittance: head, endToEndId: tail })[0]).toMatchObject({ evidence: { reference: 'none' } });
  });
});

describe('a match is automatic', () => {
  test('if reference, currency, amount and account agree', () => {
    expect(suggestionsOf({})).toMatchObject([
      {
        reason: 'reference',
        confidence: 99,
        isAutomatic: true,
        evidence: { amount: 'open', reference: 'stated', account: 'known', name: 'agrees' },
        allocations: [{ obligation: 'norrland-9', amount: '1000.00' }],
        short: '0.00',
        rest: '0.00',
      },
    ]);
  });

  test('if only the charges that the bank reports are missing', () => {
    expect(suggestionsOf({ amount: '975.00', charges: '25.00' })[0]).toMatchObject({
      isAutomatic: true,
      evidence: { amount: 'charges' },
      short: '25.00',
    });
    expect(isAutomatic({ amount: '975.00', charges: '24.99' })).toBe(false);
    expect(isAutomatic({ amount: '975.00', charges: '25.00', tolerance: '25.00' })).toBe(true);
    expect(isAutomatic({ amount: '975.00', charges: '25.00', tolerance: '24.99' })).toBe(false);
  });

  test('whatever the name is', () => {
    expect(isAutomatic({ counterpartyName: 'Custody Services' })).toBe(true);
  });
});

describe('a person decides', () => {
  const other = obligation({ id: 'norrland-8', reference: referenceOf(8, 12), dueDate: '2026-09-14' });

  test.each<[string, Partial<MatchedPayment>]>([
    ['a cent is missing', { amount: '999.99' }],
    ['a cent is too much', { amount: '1000.01' }],
    ['the account is not known', { counterpartyAccount: 'DE02120300000000202051' }],
    ['the payment has no account', { counterpartyAccount: null }],
    [
      'the check digit is wrong',
      { remittance: referenceOf(9, 12).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)) },
    ],
    ['two references are stated', { remittance: `${referenceOf(9, 12)}, ${referenceOf(7, 12)}` }],
    ['it has another currency', { currency: 'EUR' }],
    ['it goes the other way', { direction: 'out' }],
  ])('if %s', (_, more) => {
    expect(isAutomatic(more)).toBe(false);
  });

  test('if the party has the same amount open elsewhere, but not if the amount differs', () => {
    expect(isAutomatic({}, [obligation(), other])).toBe(false);
    expect(isAutomatic({}, [obligation(), { ...other, open: '1000.01' }])).toBe(true);
    expect(isAutomatic({}, [obligation(), { ...other, currency: 'EUR' }])).toBe(true);
  });

  test('if another party has the same amount open and pays from the same account', () => {
    const sister = { ...other, party: 'sister', partyName: 'Sister', reference: referenceOf(9, 13) };
    expect(isAutomatic({}, [obligation(), sister])).toBe(false);
    expect(isAutomatic({}, [obligation(), { ...sister, partyAccounts: [] }])).toBe(true);
  });

  test('if another payment states the same reference', () => {
    const again = payment({ id: 'again', amount: '5.00', counterpartyAccount: null });
    expect(isAutomatic({}, [obligation()], [again])).toBe(false);
    expect(isAutomatic({}, [obligation()], [{ ...again, remittance: referenceOf(7, 12) }])).toBe(true);
  });
});

describe('several references of one payment', () => {
  const older = obligation({
    id: 'norrland-8',
    reference: referenceOf(8, 12),
    open: '500.00',
    dueDate: '2026-09-14',
  });
  const sister = obligation({ id: 'sister-9', party: 'sister', reference: referenceOf(9, 13), open: '300.00' });
  const items = [obligation(), older, sister];
  const stating = (...references: string[]) => references.join(' + ');
  const all = stating(referenceOf(9, 12), referenceOf(8, 12), referenceOf(9, 13));
  const exact = { amount: '1800.00', remittance: all };
  const damaged = referenceOf(8, 12).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

  test('need no person if the amount is their sum and the account is known for each party', () => {
    const [first] = suggestionsOf(exact, items);
    expect(first).toMatchObject({ reason: 'reference', isAutomatic: true, short: '0.00', rest: '0.00' });
    expect(first!.allocations).toEqual([
      { obligation: 'norrland-8', amount: '500.00' },
      { obligation: 'norrland-9', amount: '1000.00' },
      { obligation: 'sister-9', amount: '300.00' },
    ]);
  });

  test('may be short by the charges that the bank reports, of the last item alone', () => {
    const short = (amount: string, charges: string) =>
      suggestionsOf({ ...exact, amount, charges, tolerance: '300.00' }, items)[0]!;
    expect(short('1500.01', '299.99')).toMatchObject({ isAutomatic: true, short: '299.99' });
    expect(short('1500.01', '299.98').isAutomatic).toBe(false);
    expect(short('1500.00', '300.00').isAutomatic).toBe(false);
  });

  test.each<[string, Partial<MatchedPayment>, Partial<OpenObligation>]>([
    ['a cent is missing', { amount: '1799.99' }, {}],
    ['a cent is too much', { amount: '1800.01' }, {}],
    ['one is damaged', { remittance: stating(referenceOf(9, 12), damaged, referenceOf(9, 13)) }, {}],
    ['one more is stated, of nothing that is open', { remittance: stating(all, referenceOf(7, 12)) }, {}],
    ['one has not the currency', {}, { currency: 'EUR' }],
    ['one goes the other way', {}, { direction: 'out' }],
    ['one is of another fund than the account', {}, { fundIds: ['quay'] }],
    ['the account is not known for one party', {}, { partyAccounts: ['DE02120300000000202051'] }],
    [
      'of a group the account is only known for another one',
      {},
      { partyAccounts: ['DE02120300000000202051'], groupName: 'Baltic Holdings' },
    ],
  ])('are for a person if %s', (_, more, ofSister) => {
    const grouped = items.slice(0, 2).map((item) => ({ ...item, groupName: ofSister.groupName ?? null }));
    expect(isAutomatic({ ...exact, ...more }, [...grouped, { ...sister, ...ofSister }])).toBe(false);
  });

  test('are for a person if another payment states one of them', () => {
    const other = payment({ id: 'other', amount: '5.00', remittance: referenceOf(9, 13), counterpartyAccount: null });
    expect(isAutomatic(exact, items, [other])).toBe(false);
    expect(isAutomatic(exact, items, [{ ...other, remittance: referenceOf(7, 13) }])).toBe(true);
  });

  test('are for a person if the amount is also that of one item, or the sum of others', () => {
    const another = (open: string, more: Partial<OpenObligation> = {}) => [
      ...items,
      obligation({ id: 'other', reference: referenceOf(7, 12), open, ...more }),
    ];
    expect(isAutomatic(exact, another('1800.00'))).toBe(false);
    expect(isAutomatic(exact, another('500.00'))).toBe(false);
    expect(isAutomatic(exact, another('500.01'))).toBe(true);
    // Of somebody else, it counts if the payment may come from there.
    expect(isAutomatic(exact, another('500.00', { party: 'stranger' }))).toBe(false);
    expect(isAutomatic(exact, another('500.00', { party: 'stranger', partyAccounts: [] }))).toBe(true);
  });

  test('are for a person if so much is open that not every sum was tried', () => {
    const more = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        obligation({ id: `more-${at}`, reference: null, open: '9000.00', dueDate: '2027-01-01' }),
      );
    expect(isAutomatic(exact, [...items, ...more(21)])).toBe(true);
    expect(isAutomatic(exact, [...items, ...more(22)])).toBe(false);
  });
});

describe('several payments that state one reference', () => {
  const part = (id: string, amount: string, more: Partial<MatchedPayment> = {}) => payment({ id, amount, ...more });
  const automatic = (
    payments: readonly MatchedPayment[],
    obligations: readonly OpenObligation[] = [obligation()],
  ): string[] =>
    [...suggestMatches(payments, obligations)]
      .filter(([, suggestions]) => suggestions.some((each) => each.isAutomatic))
      .map(([id]) => id);
  const two = [part('one', '960.00'), part('two', '40.00')];
  const three = [part('one', '500.00'), part('two', '300.00'), part('three', '200.00')];

  test('need no person if two or three are together what is open', () => {
    expect(automatic(two)).toEqual(['one', 'two']);
    expect(automatic(three)).toEqual(['one', 'two', 'three']);
    const four = [part('one', '400.00'), part('two', '300.00'), part('three', '200.00'), part('four', '100.00')];
    expect(automatic(four)).toEqual([]);
  });

  test('name each other, and what one lacks is not short', () => {
    expect(suggestMatches(two, [obligation()]).get('one')).toMatchObject([
      {
        reason: 'reference',
        isAutomatic: true,
        evidence: { amount: 'together' },
        allocations: [{ obligation: 'norrland-9', amount: '960.00' }],
        short: '40.00',
        together: ['two'],
      },
    ]);
  });

  test.each<[string, readonly MatchedPayment[]]>([
    ['a cent is missing', [two[0]!, part('two', '39.99')]],
    ['a cent is too much', [two[0]!, part('two', '40.01')]],
    ['two are equal: one may be the other made twice', [part('one', '500.00'), part('two', '500.00')]],
    ['two of three are equal', [part('one', '500.00'), part('two', '250.00'), part('three', '250.00')]],
    ['one comes from an unknown account', [two[0]!, part('two', '40.00', { counterpartyAccount: 'DE02120300000000' })]],
    ['one has no account', [two[0]!, part('two', '40.00', { counterpartyAccount: null })]],
    ['one states another reference as well', [two[0]!, part('two', '40.00', { endToEndId: referenceOf(7, 12) })]],
    ['one has charges', [two[0]!, part('two', '40.00', { charges: '5.00' })]],
    ['one has another currency', [two[0]!, part('two', '40.00', { currency: 'EUR' })]],
    ['one is on the account of another fund', [two[0]!, part('two', '40.00', { accountFund: 'quay' })]],
    ['one more states it', [...two, part('three', '5.00')]],
    ['one was returned', [...two, part('three', '40.00', { direction: 'out' })]],
    [
      'the reference of one is damaged',
      [
        two[0]!,
        part('two', '40.00', {
          remittance: referenceOf(9, 12).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
        }),
      ],
    ],
  ])('are for a person if %s', (_, payments) => {
    expect(automatic(payments)).toEqual([]);
  });

  test('are for a person if one of them is also what else is open, or the sum of others', () => {
    const other = (id: string, open: string, more: Partial<OpenObligation> = {}) =>
      obligation({ id, open, reference: null, ...more });
    expect(automatic(two, [obligation(), other('a', '40.00')])).toEqual([]);
    expect(automatic(two, [obligation(), other('a', '40.01')])).toEqual(['one', 'two']);
    expect(automatic(two, [obligation(), other('a', '25.00'), other('b', '15.00')])).toEqual([]);
    expect(automatic(two, [obligation(), other('a', '25.00'), other('b', '15.01')])).toEqual(['one', 'two']);
    const stranger = { party: 'stranger' };
    expect(automatic(two, [obligation(), other('a', '40.00', stranger)])).toEqual([]);
    expect(automatic(two, [obligation(), other('a', '40.00', { ...stranger, partyAccounts: [] })])).toEqual([
      'one',
      'two',
    ]);
  });
});

describe('what is suggested', () => {
  test('amount and known account', () => {
    expect(suggestionsOf({ ...SILENT, counterpartyAccount: ACCOUNT })[0]).toMatchObject({
      reason: 'account',
      isAutomatic: false,
      evidence: { reference: 'none', account: 'known', name: 'none' },
    });
    expect(suggestionsOf({ ...SILENT, counterpartyAccount: ACCOUNT, amount: '1000.01' })).toEqual([]);
  });

  test('amount and name, more so if the text names the call', () => {
    const [plain] = suggestionsOf({ ...SILENT, counterpartyName: 'PENSION FUND NORRLAND' });
    const [named] = suggestionsOf({
      ...SILENT,
      counterpartyName: 'PENSION FUND NORRLAND',
      remittance: 'CAPITAL CALL 9',
    });
    expect([plain?.reason, plain?.evidence.namesCall, named?.evidence.namesCall]).toEqual(['name', false, true]);
    expect(named!.confidence).toBeGreaterThan(plain!.confidence);
    expect(suggestionsOf({ ...SILENT, counterpartyName: 'H Whitlock and Sons' })).toEqual([]);
  });

  test('the sum of several open items of a party, oldest first', () => {
    const items = [
      obligation(),
      obligation({ id: 'norrland-8', open: '250.50', dueDate: '2026-09-14', reference: referenceOf(8, 12) }),
      obligation({ id: 'norrland-7', open: '70.00', dueDate: '2026-08-14', reference: referenceOf(7, 12) }),
    ];
    const [first] = suggestionsOf({ remittance: '', amount: '1250.50' }, items);
    expect(first).toMatchObject({ reason: 'sum', short: '0.00', rest: '0.00' });
    expect(paidBy(first!)).toEqual(['norrland-8', 'norrland-9']);
    expect(
      suggestionsOf({ remittance: '', amount: '1250.51' }, items).filter(({ reason }) => reason === 'sum'),
    ).toEqual([]);
  });

  test('the sum of what a group has open', () => {
    const items = ['a', 'b', 'c'].map((party, at) =>
      obligation({
        id: party,
        party,
        partyName: `Investor ${party}`,
        groupName: 'Baltic Holdings',
        open: `${at + 1}00.00`,
        partyAccounts: [],
        reference: referenceOf(9, at + 1),
      }),
    );
    const [first] = suggestionsOf({ ...SILENT, counterpartyName: 'BALTIC HOLDINGS', amount: '600.00' }, items);
    expect([first?.reason, paidBy(first!)]).toEqual(['sum', ['a', 'b', 'c']]);
  });

  test('short up to the tolerance of the account, and a part beyond it', () => {
    expect(suggestionsOf({ remittance: '', amount: '950.00' })[0]).toMatchObject({ reason: 'short', short: '50.00' });
    expect(suggestionsOf({ remittance: '', amount: '949.99' })[0]).toMatchObject({ reason: 'part', short: '50.01' });
    expect(suggestionsOf({ remittance: '', amount: '949.99', tolerance: '50.01' })[0]).toMatchObject({
      reason: 'short',
    });
  });

  test('several payments of one item, each with the others', () => {
    const rest = payment({ id: 'rest', remittance: '', amount: '600.00' });
    expect(suggestionsOf({ remittance: '', amount: '400.00' }, [obligation()], [rest])[0]).toMatchObject({
      reason: 'part',
      evidence: { amount: 'together' },
      together: ['rest'],
    });
    const less = { ...rest, amount: '599.99' };
    expect(suggestionsOf({ remittance: '', amount: '400.00' }, [obligation()], [less])[0]).toMatchObject({
      together: [],
    });
  });

  test('more than is open only by its reference, with the rest as a credit', () => {
    expect(suggestionsOf({ amount: '1200.00' })[0]).toMatchObject({
      reason: 'reference',
      isAutomatic: false,
      evidence: { amount: 'over' },
      rest: '200.00',
    });
    expect(suggestionsOf({ remittance: '', amount: '1200.00' })).toEqual([]);
  });

  test('the older of two equal items, and to the second payment the other', () => {
    const items = [
      obligation(),
      obligation({ id: 'norrland-8', reference: referenceOf(8, 12), dueDate: '2026-09-14' }),
    ];
    const payments = [
      payment({ id: 'late', remittance: '', valuedOn: '2026-10-20' }),
      payment({ id: 'early', remittance: '' }),
    ];
    const found = suggestMatches(payments, items);
    expect(paidBy(found.get('early')![0]!)).toEqual(['norrland-8']);
    expect(paidBy(found.get('late')![0]!)).toEqual(['norrland-9']);
  });

  test('nothing for a payment of a stranger', () => {
    expect(suggestionsOf({ ...SILENT, counterpartyName: 'J Smith', remittance: 'invoice 77' })).toEqual([]);
  });
});

/** Few amounts, parties and texts, so that they meet often. */
const cents = fc.constantFrom('1.00', '2.00', '3.00', '5.00', '40.00', '100.00', '140.00', '143.00');
const parties = fc.constantFrom('norrland', 'bayani', 'kowhai');
const obligations = fc
  .array(
    fc.record({
      party: parties,
      open: cents,
      call: fc.integer({ min: 1, max: 4 }),
      hasAccount: fc.boolean(),
      isGrouped: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((rows) =>
    rows.map(({ party, open, call, hasAccount, isGrouped }, at) =>
      obligation({
        id: `obligation-${at}`,
        open,
        party,
        partyName: `${party} Trust`,
        groupName: isGrouped ? 'Baltic Holdings' : null,
        dueDate: `2026-0${call}-14`,
        reference: referenceOf(call, party.length),
        partyAccounts: hasAccount ? [`${party}-account`] : [],
      }),
    ),
  );
const payments = fc
  .array(
    fc.record({
      party: parties,
      amount: cents,
      call: fc.integer({ min: 0, max: 4 }),
      isNamed: fc.boolean(),
      charges: fc.option(fc.constantFrom('1.00', '2.00')),
      direction: fc.constantFrom('in' as const, 'in' as const, 'out' as const),
    }),
    { maxLength: 8 },
  )
  .map((rows) =>
    rows.map(({ party, call, isNamed, ...rest }, at) =>
      payment({
        id: `payment-${at}`,
        ...rest,
        counterpartyName: isNamed ? `${party.toUpperCase()} TRUST` : null,
        counterpartyAccount: `${party}-account`,
        remittance: call === 0 ? '' : referenceOf(call, party.length),
      }),
    ),
  );

/** One item, in one payment or two parts, or two items of a party in one, each with what it states; and others that mean anything. */
const ways = fc.array(
  fc.record({
    at: fc.nat(),
    and: fc.nat(),
    pays: fc.constantFrom<('one' | 'parts' | 'several')[]>('one', 'parts', 'several', 'several', 'several'),
    percent: fc.integer({ min: 1, max: 99 }),
  }),
  { maxLength: 3 },
);
const scenarios = fc
  .tuple(obligations, ways, fc.oneof(fc.constant([]), payments))
  .map(([open, meant, others]): { open: OpenObligation[]; paid: MatchedPayment[] } => {
    const centsOf = (item: OpenObligation): number => Number(item.open) * 100;
    const paid = meant.flatMap(({ at, and, pays, percent }, index) => {
      const one = open[at % open.length];
      const more = open.filter((each) => each !== one && each.party === one?.party);
      const other = pays === 'several' ? more[and % more.length] : undefined;
      if (one === undefined) return [];
      const items = other === undefined ? [one] : [one, other];
      const part = pays === 'parts' ? Math.max(1, Math.floor((centsOf(one) * percent) / 100)) : 0;
      const rest = items.reduce((all, item) => all + centsOf(item), -part);
      return [part, rest].flatMap((amount, place) =>
        amount === 0
          ? []
          : [
              payment({
                id: `meant-${index}-${place}`,
                amount: (amount / 100).toFixed(2),
                counterpartyName: null,
                counterpartyAccount: `${one.party}-account`,
                remittance: items.map(({ reference }) => reference).join(' and '),
              }),
            ],
      );
    });
    return { open, paid: [...paid, ...others] };
  });

describe('whatever is matched', () => {
  test('the order of payments and obligations changes nothing', () => {
    fc.assert(
      fc.property(scenarios, fc.infiniteStream(fc.nat()), ({ paid, open }, random) => {
        const shuffled = <Item>(items: readonly Item[]): Item[] =>
          items
            .map((item) => ({ item, place: random.next().value }))
            .sort((a, b) => a.place - b.place)
            .map(({ item }) => item);
        const sorted = (found: ReturnType<typeof suggestMatches>): unknown =>
          [...found].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(suggestMatches(shuffled(paid), shuffled(open)))).toEqual(sorted(suggestMatches(paid, open)));
      }),
      { numRuns: 500 },
    );
  });

  test('allocations exceed neither the payment nor what is open, and automatic ones together neither', () => {
    const automatic = { one: 0, several: 0, parts: 0 };
    fc.assert(
      fc.property(scenarios, ({ paid, open }) => {
        const openOf = new Map(open.map(({ id, open: amount }) => [id, amount]));
        const taken = new Map<string, string>();
        const found = suggestMatches(paid, open);
        for (const { id, amount } of paid) {
          const suggestions = found.get(id)!;
          for (const { allocations, rest, short, together, isAutomatic: automaticOne } of suggestions) {
            if (automaticOne) {
              automatic[together.length > 0 ? 'parts' : allocations.length > 1 ? 'several' : 'one'] += 1;
              // All or none.
              expect(together.map((other) => found.get(other)![0]!.isAutomatic)).toEqual(together.map(() => true));
            }
            const allocated = sum(allocations.map((each) => each.amount));
            expect(compare(add(allocated, rest), amount)).toBe(0);
            expect(compare(add(allocated, short), allocated)).toBeGreaterThanOrEqual(0);
            for (const each of allocations) {
              expect(compare(each.amount, openOf.get(each.obligation)!)).toBeLessThanOrEqual(0);
              expect(compare(each.amount, '0')).toBe(1);
              if (automaticOne) taken.set(each.obligation, add(taken.get(each.obligation) ?? '0', each.amount));
            }
          }
          expect(suggestions.filter((each) => each.isAutomatic).length).toBeLessThanOrEqual(1);
        }
        for (const [id, amount] of taken) expect(compare(amount, openOf.get(id)!)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 1500 },
    );
    expect(Object.values(automatic).map((count) => count > 0)).toEqual([true, true, true]);
  });
});
