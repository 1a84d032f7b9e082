import { NORTHWIND_MAPPING, northwindFacility } from '@tapeline/demonstration/facilities.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fund, LPCommitment } from '../entities/funds.ts';
import { Company, LP, Manager, Permission, Role, User } from '../entities/people.ts';
import { newId } from '../ids.ts';
import { seedFoundations } from '../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../store.ts';
import { addEntity } from '../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-store.ts';
import { registerFile } from './files/files.ts';
import { createMapping } from './mappings/mappings.ts';
import { createTape } from './tapes/tapes.ts';
import { createTransaction } from './transactions/transactions.ts';

/** Ids of one document of every kind; `other…` belong to another tenant. */
interface Ids {
  manager: string;
  otherManager: string;
  company: string;
  otherCompany: string;
  lp: string;
  entity: string;
  role: string;
  otherRole: string;
  permission: string;
  managerUser: string;
  borrower: string;
  admin: string;
  investor: string;
  fund: string;
  commitment: string;
  mapping: string;
  transaction: string;
  note: string;
  contract: string;
  tape: string;
  file: string;
}

let database: TestDatabase;
let ids: Ids;

async function makeAll(session: Session): Promise<Ids> {
  const { em } = session;
  const [manager, otherManager, company, otherCompany, lp] = [newId(), newId(), newId(), newId(), newId()];
  const [role, otherRole, fund, commitment, managerUser, borrower] = Array.from({ length: 6 }, () => newId());
  const [admin, investor] = [newId(), newId()];
  await seedFoundations(session);
  em.create(Manager, { id: manager, entityId: addEntity(em, manager, 'Harbour') });
  em.create(Manager, { id: otherManager, entityId: addEntity(em, otherManager, 'Meridian') });
  em.create(Company, { id: company, managerId: manager, entityId: addEntity(em, manager, 'Northwind') });
  em.create(Company, { id: otherCompany, managerId: otherManager, entityId: addEntity(em, otherManager, 'Fernhill') });
  const entity = addEntity(em, manager, 'Pension');
  em.create(LP, { id: lp, managerId: manager, title: 'Pension', entityId: entity });
  em.create(Role, { id: role!, managerId: manager, title: 'Their own', level: 9, permissions: [] });
  em.create(Role, { id: otherRole!, managerId: otherManager, title: 'Not theirs', level: 9, permissions: [] });
  const person = (id: string) => ({ id, firstName: 'Bea', lastName: 'Lind', email: `${id}@example.test` });
  em.create(User, { ...person(admin), type: 'admin', assoc: { admin: true } });
  em.create(User, {
    ...person(managerUser!),
    type: 'manager',
    assoc: { manager: { id: manager } },
    managerId: manager,
    roleId: role!,
  });
  em.create(User, {
    ...person(borrower!),
    type: 'company',
    assoc: { company: { id: company } },
    managerId: manager,
    companyId: company,
  });
  em.create(User, { ...person(investor), type: 'LP', assoc: { LP: { id: lp } }, managerId: manager, LPs: [lp] });
  em.create(Fund, {
    id: fund!,
    managerId: manager,
    title: 'A fund',
    type: 'SMA',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: '1',
    hardCap: '1',
  });
  em.create(LPCommitment, {
    id: commitment!,
    managerId: manager,
    fundId: fund!,
    investorKind: 'LP',
    investorLPId: lp,
    closingDate: '2026-01-31',
    currency: 'USD',
    maxCommitment: '10',
    activeCommitment: '10',
  });
  await em.flush();
  const mapping = await createMapping(session, { companyId: company, body: parseMapping(NORTHWIND_MAPPING) });
  const facility = northwindFacility({ company, mapping: mapping.id, fund: fund! });
  const transaction = await createTransaction(session, transactionSchema.parse(facility));
  const info = { name: 'tape.csv', size: 10, type: 'text/csv' };
  const file = await registerFile(session, { bucket: 'loanTapes', ...info, managerId: manager, companyId: company });
  const tape = await createTape(session, {
    companyId: company,
    cutOffDate: '2026-10-31',
    mainCurrency: 'USD',
    exchangeRates: { USD: '1' },
    calculateBB: false,
    attachment: { bucket: file.bucket, key: file.key, checksum: null, ...info },
  });
  const permission = await em.findOneOrFail(Permission, { key: 'funds/read' });
  const note = transaction.notes[0]!;
  return {
    manager,
    otherManager,
    company,
    otherCompany,
    lp,
    entity,
    role: role!,
    otherRole: otherRole!,
    permission: permission.id,
    managerUser: managerUser!,
    borrower: borrower!,
    admin,
    investor,
    fund: fund!,
    commitment: commitment!,
    mapping: mapping.id,
    transaction: transaction.id,
    note: note.id,
    contract: note.contracts[0]!.id!,
    tape: tape.id,
    file: file.id,
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  ids = await database.store.as(SYSTEM, makeAll);
});
afterAll(() => database.close());

/** Tries one statement, checks the deferred constraints immediately, and rolls back. */
async function attempt(sql: string, values: readonly unknown[]): Promise<void> {
  await database.store.as(
    SYSTEM,
    async ({ query }) => {
      await query(sql, values);
      await query('set constraints all immediate');
    },
    { rollback: true },
  );
}

/** Sets one column of one row: a value within the limit is accepted, one beyond it is refused by a check or a key. */
type Side = readonly [what: string, table: string, id: keyof Ids, column: string, within: unknown, beyond: unknown];
const x = (length: number) => 'x'.repeat(length);
const json = (value: unknown) => JSON.stringify(value);
const many = <T>(count: number, one: T) => Array.from({ length: count }, () => one);
const bank = (more: Record<string, unknown>) =>
  json([{ title: 'Bank', accountNumber: '12', address: 'Quay', type: 'Business', ...more }]);
/** A bank account with one field within its limit and beyond it. */
const sides = (field: string, within: unknown, beyond: unknown) =>
  [bank({ [field]: within }), bank({ [field]: beyond })] as const;
const business = (more: Record<string, unknown>) => json({ type: 'LLC', formalName: 'Northwind', ...more });

const PEOPLE: readonly Side[] = [
  ['the name of an entity: at least 2', 'entities', 'entity', 'name', 'ab', 'a'],
  ['the name of an entity: at most 250', 'entities', 'entity', 'name', x(250), x(251)],
  ['formal id: 1 to 100', 'entities', 'entity', 'formal_id', x(100), x(101)],
  ['formal id: not empty', 'entities', 'entity', 'formal_id', '1', ''],
  ['description: 300', 'entities', 'entity', 'description', x(300), x(301)],
  ['contacts: 5', 'entities', 'entity', 'contacts', json(many(5, { name: 'Ann' })), json(many(6, { name: 'Ann' }))],
  [
    'the name of a contact: 2 to 40',
    'entities',
    'entity',
    'contacts',
    json([{ name: x(40) }]),
    json([{ name: 'Ann' }, { name: x(41) }]),
  ],
  ['a contact has a name', 'entities', 'entity', 'contacts', json([{ name: 'Ann' }]), json([{ phone: '1' }])],
  [
    'the phone of a contact: 16 digits',
    'entities',
    'entity',
    'contacts',
    json([{ name: 'Ann', phone: '1234567890123456' }]),
    json([{ name: 'Ann', phone: '12345678901234567' }]),
  ],
  [
    'the email of a contact',
    'entities',
    'entity',
    'contacts',
    json([{ name: 'Ann', email: 'a@b' }]),
    json([{ name: 'Ann', email: 'a.b' }]),
  ],
  [
    'banks: 10',
    'entities',
    'entity',
    'banks',
    json(many(10, JSON.parse(bank({}))[0])),
    json(many(11, JSON.parse(bank({}))[0])),
  ],
  ['the account number of a bank: 150', 'entities', 'entity', 'banks', ...sides('accountNumber', x(150), x(151))],
  ['the account number of a bank: 2', 'entities', 'entity', 'banks', ...sides('accountNumber', '12', '1')],
  ['the title of a bank: 2', 'entities', 'entity', 'banks', ...sides('title', 'ab', 'a')],
  ['the title of a bank: 250', 'entities', 'entity', 'banks', ...sides('title', x(250), x(251))],
  ['the address of a bank: 2', 'entities', 'entity', 'banks', ...sides('address', 'ab', 'a')],
  ['the address of a bank: 250', 'entities', 'entity', 'banks', ...sides('address', x(250), x(251))],
  ['a bank has an address', 'entities', 'entity', 'banks', ...sides('address', 'Quay', undefined)],
  ['a bank has a type', 'entities', 'entity', 'banks', ...sides('type', 'Private', 'Savings')],
  // The second differs in one digit: its remainder by 97 is not 1.
  ['an IBAN', 'entities', 'entity', 'banks', ...sides('IBAN', 'GB82WEST12345698765432', 'GB82WEST12345698765433')],
  ['an IBAN without spaces', 'entities', 'entity', 'banks', ...sides('IBAN', '', 'GB82 WEST 1234 5698 7654 32')],
  [
    'an IBAN of the longest form',
    'entities',
    'entity',
    'banks',
    ...sides('IBAN', 'MT84MALT011000012345MTLCAST001S', x(31)),
  ],
  ['a SWIFT code', 'entities', 'entity', 'banks', ...sides('swiftCode', 'NWBKGB2L', 'NWBKGB2')],
  ['a SWIFT code of a branch', 'entities', 'entity', 'banks', ...sides('swiftCode', 'DEUTDEFF500', 'DEUTDEFF50')],
  ['a routing number', 'entities', 'entity', 'banks', ...sides('abaOrRouting', '021000021', '021000022')],
  ['a routing number is not zero', 'entities', 'entity', 'banks', ...sides('abaOrRouting', null, '000000000')],
  ['a routing number of nine digits', 'entities', 'entity', 'banks', ...sides('abaOrRouting', '011401533', '01140153')],
  ['domains of an entity: 10', 'entities', 'entity', 'domains', json(many(10, 'a')), json(many(11, 'a'))],
  ['categories of an entity: 50', 'entities', 'entity', 'category', json(many(50, 'a')), json(many(51, 'a'))],
  ['domains of a company: 10', 'companies', 'company', 'domains', json(many(10, 'a')), json(many(11, 'a'))],
  ['country: 2 to 30', 'entities', 'entity', 'nationality', json({ country: 'US' }), json({ country: x(31) })],
  [
    'headquarters: 10',
    'entities',
    'entity',
    'business',
    business({ headQuarters: many(10, { country: 'US' }) }),
    business({ headQuarters: many(11, { country: 'US' }) }),
  ],
  [
    'the country of headquarters: 2 to 30',
    'entities',
    'entity',
    'business',
    business({ headQuarters: [{ country: x(30) }] }),
    business({ headQuarters: [{ country: x(31) }] }),
  ],
  [
    'the description of headquarters: 200',
    'entities',
    'entity',
    'business',
    business({ headQuarters: [{ country: 'US', description: x(200) }] }),
    business({ headQuarters: [{ country: 'US', description: x(201) }] }),
  ],
  [
    'shares: 50',
    'entities',
    'entity',
    'business',
    business({ shares: many(50, {}) }),
    business({ shares: many(51, {}) }),
  ],
  [
    'a formal name: 2 to 250',
    'entities',
    'entity',
    'business',
    business({ formalName: x(250) }),
    business({ formalName: x(251) }),
  ],
  [
    'a formal name: not one letter',
    'entities',
    'entity',
    'business',
    business({ formalName: 'ab' }),
    business({ formalName: 'a' }),
  ],
  ['a type of business', 'entities', 'entity', 'business', business({ type: 'Trust' }), business({ type: 'Club' })],
  ['a stage', 'entities', 'entity', 'business', business({ stage: 'Early Growth' }), business({ stage: 'Late' })],
  [
    'the description of an address: 200',
    'entities',
    'entity',
    'nationality',
    json({ country: 'US', description: x(200) }),
    json({ country: 'US', description: x(201) }),
  ],
  [
    'shares are not negative',
    'entities',
    'entity',
    'business',
    business({ shares: [{ percentage: 0, amount: '0' }] }),
    business({ shares: [{ percentage: -1 }] }),
  ],
  [
    'exact shares are not negative',
    'entities',
    'entity',
    'business',
    business({ shares: [{ faceValue: '0.01' }] }),
    business({ shares: [{ faceValue: '-0.01' }] }),
  ],
  ['the title of a role: 2 to 30', 'roles', 'role', 'title', x(30), x(31)],
  ['the title of a role: not one letter', 'roles', 'role', 'title', 'ab', 'a'],
  ['the highest level is 1', 'roles', 'role', 'level', 1, 0],
  ['the lowest level is 30', 'roles', 'role', 'level', 30, 31],
  ['the title of a permission: 2 to 20', 'permissions', 'permission', 'title', x(20), x(21)],
  ['a permission is for known user types', 'permissions', 'permission', 'allowed', ['LP', 'admin'], ['LP', 'owner']],
  ['a first name: 2 to 30', 'users', 'borrower', 'first_name', x(30), x(31)],
  ['a first name: not one letter', 'users', 'borrower', 'first_name', 'Bo', 'B'],
  ['a last name: 2 to 30', 'users', 'borrower', 'last_name', x(30), x(31)],
  ['a phone number: 16 digits', 'users', 'borrower', 'phone_number', '1234567890123456', '12345678901234567'],
  ['a phone number: digits only', 'users', 'borrower', 'phone_number', null, '+4412345'],
  ['an email', 'users', 'borrower', 'email', 'a@b', 'a.b'],
  ['a recovery email', 'users', 'borrower', 'recovery_email', 'a@b', 'a.b'],
  ['LPs: 100', 'users', 'investor', 'lps', many(100, newId()), many(101, newId())],
  ['LPs are ids', 'users', 'investor', 'lps', [newId()], ['Pension']],
  ['a status that is known', 'users', 'borrower', 'status', 'Disabled', 'Sleeping'],
  [
    'an association has one key',
    'users',
    'admin',
    'assoc',
    json({ admin: true }),
    json({ admin: true, manager: { id: newId() } }),
  ],
];

const classes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `Class ${at}`, uniqueKey: `${at}` }));

const LENDING: readonly Side[] = [
  ['the title of a fund: 2 to 150', 'funds', 'fund', 'title', x(150), x(151)],
  ['the description of a fund: 100', 'funds', 'fund', 'description', x(100), x(101)],
  ['classes of a fund: 10', 'funds', 'fund', 'classes', json(classes(10)), json(classes(11))],
  ['the strategy of a fund', 'funds', 'fund', 'strategy', 'GL', 'LG'],
  ['a hard cap is not negative', 'funds', 'fund', 'hard_cap', '0', '-0.01'],
  ['what is active is at most what is committed', 'lp_commitments', 'commitment', 'active_commitment', '10', '10.01'],
  ['rules of a mapping: 1 to 300', 'mappings', 'mapping', 'rules', json(many(300, {})), json(many(301, {}))],
  ['a mapping has a rule', 'mappings', 'mapping', 'rules', json([{}]), json([])],
  ['the name of a sheet: 1 letter', 'mappings', 'mapping', 'loan_tape_sheet_name', 'T', ''],
  ['a transaction has a title', 'transactions', 'transaction', 'title', 'F', ''],
  ['a transaction has an industry', 'transactions', 'transaction', 'industries', json(['Lending']), json([])],
  ['an industry has a name', 'transactions', 'transaction', 'industries', json(['Lending']), json([''])],
  ['industries: 100', 'transactions', 'transaction', 'industries', json(many(100, 'a')), json(many(101, 'a'))],
  ['the name of an industry: 250', 'transactions', 'transaction', 'industries', json([x(250)]), json([x(251)])],
  ['the title of a transaction: 250', 'transactions', 'transaction', 'title', x(250), x(251)],
  ['the name of a sheet: 255', 'mappings', 'mapping', 'loan_tape_sheet_name', x(255), x(256)],
  [
    'a custom field has no name with a meaning of its own',
    'mappings',
    'mapping',
    'rules',
    json([{ targetCol: 'customFields.__proto' }]),
    json([{ targetCol: 'customFields.__proto__' }]),
  ],
  ['a rate is above zero', 'loan_tapes', 'tape', 'exchange_rates', json({ EUR: '0.86' }), json({ EUR: '0' })],
  ['a rate is a number', 'loan_tapes', 'tape', 'exchange_rates', json({ EUR: 0.86 }), json({ EUR: null })],
  [
    'counts of a tape add up',
    'loan_tapes',
    'tape',
    'counts',
    json({ dataRows: 3, assets: 1, errored: 1, discarded: 1, blankRows: 0 }),
    json({ dataRows: 3, assets: 1, errored: 1, discarded: 2, blankRows: 0 }),
  ],
  ['the name of a file: 250', 'files', 'file', 'name', x(250), x(251)],
];

describe.each([
  ['People', PEOPLE],
  ['Funds, facilities and tapes', LENDING],
])('%s keep their limits in the database', (_, sides) => {
  test.each(sides)('%s', async (_what, table, id, column, within, beyond) => {
    const sql = `update ${table} set ${column} = $2 where id = $1`;
    await expect(attempt(sql, [ids[id], within])).resolves.toBeUndefined();
    await expect(attempt(sql, [ids[id], beyond])).rejects.toThrow(/check constraint|has_one_key|violates/);
  });
});

describe('A note in the database', () => {
  const usd = (sum: string) => ({ amount: { sum, currency: 'USD' } });
  const terms = { commitments: [usd('1')], fees: [] as unknown[] };
  const fee = { rate: -1, title: 'Unused fee', kind: 'Unused', frequency: 'Monthly' };
  const tiers = (count: number) => Array.from({ length: count }, (_, index) => ({ from: index + 1, rate: 1 }));
  const floating = { kind: 'variable', baseRate: 'SOFR', spread: -0.5, minimumInterest: 0 };
  const timeline = { contractSigning: '2026-01-01', maturity: '2029-01-01' };
  const approval = {
    user: { id: newId(), firstName: 'Mara', lastName: 'Holt' },
    approvedAt: '2026-11-01T10:00:00.000Z',
  };
  const tranche = (sequence: number, more: object = {}) => ({ sequence, title: 'A', type: 'ROFR', terms, ...more });
  const note = (more: object) => ({ id: newId(), title: 'Junior', ...more });
  const setNotes = async (...notes: unknown[]) => {
    const senior = { id: ids.note, title: 'Senior', tranches: [] };
    await attempt('update transactions set notes = $2 where id = $1', [ids.transaction, json([senior, ...notes])]);
  };

  test.each<[string, object, object]>([
    ['has a title', { title: 'B' }, { title: ' ' }],
    ['has a title of its own', { title: 'Mezz' }, { title: 'Senior' }],
    [
      'attaches below 99.9',
      { priority: { attachmentPoint: 99.9, detachmentPoint: 100 } },
      { priority: { attachmentPoint: 99.95, detachmentPoint: 100 } },
    ],
    [
      'attaches below where it detaches',
      { priority: { attachmentPoint: 0, detachmentPoint: 0.1 } },
      { priority: { attachmentPoint: 0.1, detachmentPoint: 0.1 } },
    ],
    [
      'has tranches of different sequence',
      { tranches: [tranche(1), tranche(2)] },
      { tranches: [tranche(1), tranche(1)] },
    ],
    [
      'has at most one active tranche',
      { tranches: [tranche(1, { sequenceActivated: true }), tranche(2, { sequenceActivated: false })] },
      { tranches: [tranche(1, { sequenceActivated: true }), tranche(2, { sequenceActivated: true })] },
    ],
    ['has titled tranches', { tranches: [tranche(1)] }, { tranches: [tranche(1, { title: '' })] }],
    ['has typed tranches', { tranches: [tranche(1)] }, { tranches: [tranche(1, { type: undefined })] }],
    [
      'is held 0 to 100%',
      { holdings: [{ holding: 'A', targetPercentage: 100, actualPercentage: 0 }] },
      { holdings: [{ holding: 'A', targetPercentage: 100.1, actualPercentage: 0 }] },
    ],
    [
      'is held by a fund or a name',
      { holdings: [{ fund: newId(), targetPercentage: 1, actualPercentage: 1 }] },
      { holdings: [{ fund: newId(), holding: 'A', targetPercentage: 1, actualPercentage: 1 }] },
    ],
    [
      'gives rights of zero or more',
      { futureInvestmentRights: { description: '', amount: { sum: '0', currency: 'USD' } } },
      { futureInvestmentRights: { description: '', amount: { sum: '-1', currency: 'USD' } } },
    ],
    [
      'moves into a discretionary tranche with an approval',
      { tranches: [tranche(1, { isDiscretional: true, sequenceActivated: true, approval })] },
      { tranches: [tranche(1, { isDiscretional: true, sequenceActivated: true })] },
    ],
    ...(
      [
        ['commits zero or more', { commitments: [usd('0')] }, { commitments: [usd('-0.01')] }],
        ['has fees with a title', { fees: [fee] }, { fees: [{ ...fee, title: ' ' }] }],
        ['has fees with a kind', { fees: [fee] }, { fees: [{ ...fee, kind: '' }] }],
        ['has fees of a known frequency', { fees: [fee] }, { fees: [{ ...fee, frequency: 'Daily' }] }],
        [
          'has fees with dates in order',
          { fees: [{ ...fee, dateRange: { start: '2026-01-01', end: '2026-01-02' } }] },
          { fees: [{ ...fee, dateRange: { start: '2026-01-02', end: '2026-01-02' } }] },
        ],
        [
          'has the dates of a custom range',
          {
            fees: [{ ...fee, dateRangeType: { start: 'custom', end: 'maturity' }, dateRange: { start: '2026-01-01' } }],
          },
          { fees: [{ ...fee, dateRangeType: { start: 'custom', end: 'maturity' } }] },
        ],
        [
          'has fixed interest of zero or more',
          { interest: { kind: 'fix', value: 0 } },
          { interest: { kind: 'fix', value: -1 } },
        ],
        ['has a known base rate', { interest: floating }, { interest: { ...floating, baseRate: 'EURIBOR' } }],
        [
          'has a known day count',
          { interest: { ...floating, dayCount: '30E/360' } },
          { interest: { ...floating, dayCount: '31' } },
        ],
        [
          'has interest within a range',
          { interest: { ...floating, numberRange: { min: 1, max: 1.1 } } },
          { interest: { ...floating, numberRange: { min: 1, max: 1 } } },
        ],
        ['has signed terms', { timeline }, { timeline: { maturity: '2029-01-01' } }],
        ['has a maturity', { timeline }, { timeline: { contractSigning: '2026-01-01' } }],
        [
          'revolves forwards',
          { timeline: { ...timeline, revolvingStart: '2026-01-01', revolvingEnd: '2026-01-02' } },
          { timeline: { ...timeline, revolvingStart: '2026-01-02', revolvingEnd: '2026-01-02' } },
        ],
        [
          'has warrants of zero or more',
          { warrants: [{ holdingValue: usd('0').amount }] },
          { warrants: [{ holdingValue: usd('-1').amount }] },
        ],
        [
          'has future warrants up to 100%',
          { warrants: [{ actual: { kind: 'future', percentage: 100 } }] },
          { warrants: [{ actual: { kind: 'future', percentage: 101 } }] },
        ],
        [
          'has a pricing grid of rising tiers',
          {
            interest: {
              kind: 'fix',
              value: 9,
              pricingGrid: {
                tiers: [
                  { from: 50, rate: 8 },
                  { from: 75, rate: 0 },
                ],
              },
            },
          },
          {
            interest: {
              kind: 'fix',
              value: 9,
              pricingGrid: {
                tiers: [
                  { from: 75, rate: 8 },
                  { from: 75, rate: 7 },
                ],
              },
            },
          },
        ],
        [
          'has tiers up to 100%',
          { interest: { kind: 'fix', value: 9, pricingGrid: { tiers: [{ from: 100, rate: 8 }] } } },
          { interest: { kind: 'fix', value: 9, pricingGrid: { tiers: [{ from: 100.1, rate: 8 }] } } },
        ],
        [
          'has a negative spread in a tier, but no negative fixed rate',
          { interest: { ...floating, pricingGrid: { tiers: [{ from: 50, rate: -1 }] } } },
          { interest: { kind: 'fix', value: 9, pricingGrid: { tiers: [{ from: 50, rate: -1 }] } } },
        ],
        [
          'has at most ten tiers',
          { interest: { kind: 'fix', value: 9, pricingGrid: { tiers: tiers(10) } } },
          { interest: { kind: 'fix', value: 9, pricingGrid: { tiers: tiers(11) } } },
        ],
        [
          'is paid in kind by more than nothing',
          { interest: { kind: 'fix', value: 9, paidInKind: 0.1 } },
          { interest: { kind: 'fix', value: 9, paidInKind: 0 } },
        ],
        [
          'adds a margin of zero or more in default',
          { interest: { kind: 'fix', value: 9, defaultMargin: 0 } },
          { interest: { kind: 'fix', value: 9, defaultMargin: -0.1 } },
        ],
        [
          'ends an event of default after its first day',
          { defaultEvents: [{ from: '2026-03-01', to: '2026-03-02', reason: 'Late' }] },
          { defaultEvents: [{ from: '2026-03-01', to: '2026-03-01', reason: 'Late' }] },
        ],
        [
          'gives a reason for an event of default',
          { defaultEvents: [{ from: '2026-03-01', reason: 'x' }] },
          { defaultEvents: [{ from: '2026-03-01', reason: ' ' }] },
        ],
        [
          'has at most 50 events of default',
          { defaultEvents: many(50, { from: '2026-03-01', reason: 'Late' }) },
          { defaultEvents: many(51, { from: '2026-03-01', reason: 'Late' }) },
        ],
        ...(
          [
            ['a minimum usage', { minimumUsage: 100 }, { minimumUsage: 100.1 }],
            ['more than no minimum usage', { minimumUsage: 0.1 }, { minimumUsage: 0 }],
            ['a minimum usage that recurs', { minimumUsage: 60 }, { minimumUsage: 60, frequency: 'Ending' }],
            ['one basis', { onPrepayment: true }, { onPrepayment: true, feeType: 'Drawn Amount' }],
            ['a percentage of prepayments', { onPrepayment: true, rate: 100 }, { onPrepayment: true, rate: 101 }],
            ['months in order', { months: { start: 12, end: 13 } }, { months: { start: 12, end: 12 } }],
            ['at most 600 months', { months: { end: 600 } }, { months: { end: 601 } }],
            ['months or dates', { months: { end: 6 } }, { months: { end: 6 }, dateRange: { end: '2028-01-01' } }],
          ] as const
        ).map(([what, within, beyond]): [string, object, object] => [
          `charges ${what}`,
          { fees: [{ ...fee, rate: 1, ...within }] },
          { fees: [{ ...fee, rate: 1, ...beyond }] },
        ]),
        [
          'limits draws to a range',
          { drawLimits: { draw: { amountRange: { currency: 'USD', min: '0', max: '1' } } } },
          { drawLimits: { draw: { amountRange: { currency: 'USD', min: '1', max: '1' } } } },
        ],
        [
          'limits prefunding to 100%',
          { drawLimits: { prefunding: { maxPercentage: 100 } } },
          { drawLimits: { prefunding: { maxPercentage: 100.1 } } },
        ],
        [
          'limits how often is recycled',
          { drawLimits: { recycling: { frequency: { limit: 1, interval: 'Annualy' } } } },
          { drawLimits: { recycling: { frequency: { limit: 0, interval: 'Annualy' } } } },
        ],
      ] as const
    ).map(([what, within, beyond]): [string, object, object] => [
      what,
      { terms: within, tranches: [tranche(1, { terms: { ...terms, ...within } })] },
      { tranches: [tranche(1, { terms: { ...terms, ...beyond } })] },
    ]),
    [
      'commits something in each tranche',
      { tranches: [tranche(1)] },
      { tranches: [tranche(1, { terms: { ...terms, commitments: [] } })] },
    ],
    [
      'has at most 50 fees a tranche',
      { tranches: [tranche(1, { terms: { ...terms, fees: many(50, fee) } })] },
      { tranches: [tranche(1, { terms: { ...terms, fees: many(51, fee) } })] },
    ],
    ['has at most 50 fees of its own', { terms: { fees: many(50, fee) } }, { terms: { fees: many(51, fee) } }],
  ])('%s', async (_, within, beyond) => {
    await expect(setNotes(note(within))).resolves.toBeUndefined();
    await expect(setNotes(note(beyond))).rejects.toThrow(/transactions_(notes|terms|timelines)/);
  });
});

describe('A contract in the database', () => {
  const ofFile = (more: object) => ({
    kind: 'file',
    groupBy: 'a',
    file: 'ap',
    groupColumn: 'b',
    amountColumn: 'c',
    ...more,
  });
  const setBody = (body: object) => attempt('update contracts set body = $2 where id = $1', [ids.contract, json(body)]);

  test.each<[string, object, object]>([
    ['has at most 100 scopes', { scopes: many(100, {}) }, { scopes: many(101, {}) }],
    [
      'keeps the titles of default values free',
      { values: [{ title: 'Total Pool' }] },
      { values: [{ title: 'Total Pool' }, { title: 'Total Relevant Pool' }] },
    ],
    ['has limits that overlap in a known way', { overlap: 'maximumPerAsset' }, { overlap: 'average' }],
    ['advances at most 100%', { advanceRate: { defaultRate: 100 } }, { advanceRate: { defaultRate: 100.01 } }],
    [
      'advances at least nothing',
      { advanceRate: { defaultRate: 0, cases: [{ rate: 0 }] } },
      { advanceRate: { defaultRate: 0, cases: [{ rate: -1 }] } },
    ],
    [
      'has at most 20 offsets',
      { offsets: many(20, { kind: 'field', groupBy: 'a', field: 'b' }) },
      { offsets: many(21, { kind: 'field', groupBy: 'a', field: 'b' }) },
    ],
    [
      'has offsets of a kind that is known',
      { offsets: [{ kind: 'negatives', groupBy: 'a' }] },
      { offsets: [{ kind: 'deposits', groupBy: 'a' }] },
    ],
    [
      'has offsets with a field',
      { offsets: [{ kind: 'field', groupBy: 'a', field: 'b' }] },
      { offsets: [{ kind: 'field', groupBy: 'a' }] },
    ],
    [
      'has offsets with the name of a file of at least 2 characters',
      { offsets: [ofFile({ file: 'ap' })] },
      { offsets: [ofFile({ file: 'a' })] },
    ],
    [
      'has offsets with the name of a file of at most 80 characters',
      { offsets: [ofFile({ file: 'a'.repeat(80) })] },
      { offsets: [ofFile({ file: 'a'.repeat(81) })] },
    ],
    ['has offsets with a column of groups', { offsets: [ofFile({})] }, { offsets: [ofFile({ groupColumn: null })] }],
    [
      'has offsets with a column of at most 200 characters',
      { offsets: [ofFile({ amountColumn: 'a'.repeat(200) })] },
      { offsets: [ofFile({ amountColumn: 'a'.repeat(201) })] },
    ],
    [
      'has offsets with two columns',
      { offsets: [ofFile({ amountColumn: 'c' })] },
      { offsets: [ofFile({ amountColumn: 'b' })] },
    ],
    ['has offsets of groups', { offsets: [{ kind: 'negatives', groupBy: 'a' }] }, { offsets: [{ kind: 'negatives' }] }],
    [
      'deducts negative balances once',
      { offsets: [{ kind: 'negatives', groupBy: 'a' }] },
      { offsets: many(2, { kind: 'negatives', groupBy: 'a' }) },
    ],
    [
      'has offsets that start before they end',
      { offsets: [{ kind: 'negatives', groupBy: 'a', startDate: '2026-01-01', expirationDate: '2026-01-02' }] },
      { offsets: [{ kind: 'negatives', groupBy: 'a', startDate: '2026-01-02', expirationDate: '2026-01-02' }] },
    ],
    ['has limits of a tape from 0', { tapeLimits: { changedPercent: 0 } }, { tapeLimits: { changedPercent: -0.1 } }],
    ['has limits of a tape to 100', { tapeLimits: { leftPercent: 100 } }, { tapeLimits: { leftPercent: 100.1 } }],
    [
      'has one limit of a tape at least',
      { tapeLimits: { changedPercent: null, leftPercent: 1 } },
      { tapeLimits: { changedPercent: null, leftPercent: null } },
    ],
    [
      'has limits of a tape with at most 8 decimals',
      { tapeLimits: { leftPercent: 0.12345678 } },
      { tapeLimits: { leftPercent: 0.123456789 } },
    ],
    [
      'has rules that start before they end',
      {
        eligibilityRules: [
          { startDate: '2026-01-01', expirationDate: '2026-01-02' },
          { startDate: null, expirationDate: null },
        ],
      },
      { eligibilityRules: [{ startDate: '2026-01-02', expirationDate: '2026-01-02' }] },
    ],
  ])('%s', async (_, within, beyond) => {
    await expect(setBody(within)).resolves.toBeUndefined();
    await expect(setBody(beyond)).rejects.toThrow('check constraint');
  });

  const addContracts = (count: number, note: string) =>
    attempt(
      `insert into contracts (id, status, metadata, manager_id, company_id, transaction_id, note_id, revision, cut_off_date, body)
       select lpad(to_hex(n), 24, 'e'), 'Draft', '{}', manager_id, company_id, transaction_id, $3, 1000 + n, cut_off_date, '{}'
       from contracts, generate_series(1, $2::int) as n where id = $1`,
      [ids.contract, count, note],
    );

  test('is one of at most 200 of its note', async () => {
    await expect(addContracts(199, ids.note)).resolves.toBeUndefined();
    await expect(addContracts(200, ids.note)).rejects.toThrow('at most 200 contracts');
  });

  test('is of a note that its transaction has', async () => {
    await expect(addContracts(1, newId())).rejects.toThrow('not one of the transaction');
  });
});

test('A user acts for whom the columns say, and for nobody else', async () => {
  const setAssoc = (id: string, assoc: object) =>
    attempt('update users set assoc = $2 where id = $1', [id, json(assoc)]);
  await expect(setAssoc(ids.borrower, { company: { id: ids.company, title: 'Northwind' } })).resolves.toBeUndefined();
  for (const assoc of [{ company: { id: ids.otherCompany } }, { manager: { id: ids.manager } }, { company: {} }]) {
    await expect(setAssoc(ids.borrower, assoc)).rejects.toThrow('users_assoc');
  }
  await expect(setAssoc(ids.managerUser, { manager: { id: ids.otherManager } })).rejects.toThrow('users_assoc');
});

test('A user has a role of everyone or of the own tenant', async () => {
  const setRole = (role: string) => attempt('update users set role_id = $2 where id = $1', [ids.borrower, role]);
  await expect(setRole(ids.role)).resolves.toBeUndefined();
  await expect(setRole(ids.otherRole)).rejects.toThrow('not one of the user');
});

test('A user has at most 200 refresh tokens', async () => {
  const add = (count: number) =>
    attempt(
      `insert into refresh_tokens (token_hash, family_id, user_id, successor_salt, signed_in_at, created_at, expires_at)
       select n::text, $1, $1, '', now(), now(), now() from generate_series(1, $2::int) as n`,
      [ids.admin, count],
    );
  await expect(add(200)).resolves.toBeUndefined();
  await expect(add(201)).rejects.toThrow('at most 200 refresh tokens');
});

test('A file belongs to a company of its manager', async () => {
  const setCompany = (company: string) =>
    attempt('update files set company_id = $2 where id = $1', [ids.file, company]);
  await expect(setCompany(ids.company)).resolves.toBeUndefined();
  await expect(setCompany(ids.otherCompany)).rejects.toThrow('files_company');
});

test.each([
  [
    'counts up to 365 days after a test',
    { test: { covenant: 'x', daysAfter: 365 } },
    { test: { covenant: 'x', daysAfter: 366 } },
  ],
  [
    'counts whole days after a test',
    { test: { covenant: 'x', daysAfter: 0 } },
    { test: { covenant: 'x', daysAfter: 0.5 } },
  ],
  ['names its covenant', { test: { covenant: 'x' } }, { test: {} }],
  ['has a figure below 10^15', { test: { covenant: 'x' }, from: 1e15 - 1 }, { test: { covenant: 'x' }, from: 1e15 }],
  ['has a negative figure of a covenant alone', { test: { covenant: 'x' }, from: -1 }, { test: null, from: -1 }],
] as const)('a pricing grid by a covenant %s', async (_, within, beyond) => {
  const holds = async ({ from = 1, ...grid }: { from?: number; test: unknown }) => {
    const [row] = await database.query<{ holds: boolean }>('select pricing_grid_holds($1, 0) as holds', [
      JSON.stringify({ ...grid, tiers: [{ from, rate: 8 }] }),
    ]);
    return row?.holds;
  };
  expect([await holds(within), await holds(beyond)]).toEqual([true, false]);
});
