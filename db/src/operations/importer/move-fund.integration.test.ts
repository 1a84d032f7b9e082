import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { distributionCreateSchema } from '@tapeline/domain/capital/distribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { capitalAccountCreateSchema } from '@tapeline/domain/capital/statement.schema.ts';
import { closingCreateSchema } from '@tapeline/domain/closings/closing.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { commitmentTransferSchema } from '@tapeline/domain/commitments/transfer.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { ImportInput, ImportRow } from '@tapeline/domain/importer/check.ts';
import type { ImportKind } from '@tapeline/domain/importer/kinds.ts';
import { lpCreateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { activityOf } from '../capital/activity.ts';
import { callCapital, listContributions } from '../capital/contributions.ts';
import { distribute, listDistributions } from '../capital/distributions.ts';
import { fundFees } from '../capital/fees.ts';
import { selectionFigures, selectionReturns } from '../capital/figures.ts';
import { createNavs } from '../capital/navs.ts';
import { createCapitalAccounts } from '../capital/statements.ts';
import { closeInvestors } from '../closings/close-investors.ts';
import { closingsOfFund } from '../closings/closings.ts';
import { changeSideLetter, createCommitment } from '../commitments/change-commitments.ts';
import { transferCommitment } from '../commitments/transfer-commitment.ts';
import { transfersOfFund } from '../commitments/transfers.ts';
import { changeFeeTerms, createFund } from '../funds/change-funds.ts';
import { feeTermsOfInvestors } from '../funds/fee-terms.ts';
import { listCommitments } from '../funds/funds.ts';
import { createLP } from '../investors/investors.ts';
import { checkImport, importRows, undoImport } from './imports.ts';

type Cells = Record<string, string>;

let database: TestDatabase;
let elsewhere: UserActor;
let here: UserActor;
beforeAll(async () => {
  database = await createTestDatabase();
  [elsewhere, here] = await database.store.as(SYSTEM, async (session) => {
    const actorOf = async (email: string): Promise<UserActor> => {
      const { managerId } = await makeTenant(session);
      const { id } = session.em.create(User, {
        id: newId(session.now),
        email,
        firstName: 'Mia',
        lastName: 'Berg',
        type: 'manager',
        assoc: { manager: { id: managerId } },
        managerId,
        isReadPrivacyAndTerms: true,
        isConfirmedUserDetails: true,
      });
      return { ...testActor({ type: 'manager', managerId }), userId: id };
    };
    return [await actorOf('mia@elsewhere.example'), await actorOf('mia@here.example')];
  });
});
afterAll(() => database.close());

const FUND = 'Tresco Fund';
const [ABBEY, BRYHER, CROW, DEEP] = ['Abbey Life', 'Bryher Pensions', 'Crow Trust', 'Deep Point'] as const;
const NAMES = [ABBEY, BRYHER, CROW, DEEP];
const usd = (sum: number | string) => ({ sum, currency: 'USD' });
const TERMS = { management: { committed: 2 }, success: { hurdle: 8, rate: 20, catchUp: 100, interestShare: 50 } };
const LETTER = { management: { committed: 2, waiver: 50 } };
const EXCUSE = 'Side letter 4.2: no tobacco';

/** The fund as it lives elsewhere. */
async function makeFund(session: Session) {
  const { fund } = await createFund(
    session,
    fundCreateSchema.parse({
      title: FUND,
      type: 'ComingleFund',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 10_000,
      hardCap: 10_000,
      excuseCap: 50,
      equalization: { ratePercent: 8, feeInterestTo: 'investors' },
    }),
  );
  const of = { fund: fund.id };
  const ids = new Map<string, string>();
  for (const title of NAMES) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' } };
    ids.set(title, (await createLP(session, lpCreateSchema.parse({ title, entity }))).id);
  }
  const investor = (name: string) => ({ id: ids.get(name)!, kind: 'LP' as const });
  const commit = (name: string, maxCommitment: number) =>
    createCommitment(
      session,
      commitmentCreateSchema.parse({ ...of, investor: investor(name), closingDate: '2025-01-15', maxCommitment }),
    );
  const abbey = await commit(ABBEY, 1000);
  await commit(BRYHER, 3000);
  await changeFeeTerms(session, {
    id: fund.id,
    version: fund.version,
    replaces: null,
    terms: { Class: null, from: '2025-01-15', terms: TERMS },
  });
  const letter = { from: '2025-02-01', title: 'First investor', terms: LETTER };
  await changeSideLetter(session, { id: abbey.id, version: abbey.version, replaces: null, letter });
  const call = (callNumber: string, cutOffDate: string, dueDate: string, [loans, fee, audit]: number[], more = {}) =>
    callCapital(
      session,
      contributionCreateSchema.parse({
        ...of,
        callNumber,
        cutOffDate,
        dueDate,
        amount: usd((loans ?? 0) + (fee ?? 0) + (audit ?? 0)),
        callPurposes: [
          { title: 'Loans', kind: 'investments', amount: loans },
          { title: 'Fee', kind: 'managementFee', amount: fee },
          { title: 'Audit', kind: 'fundExpenses', amount: audit },
        ],
        status: 'Active',
        ...more,
      }),
    );
  const value = (cutOffDate: string, values: readonly [string, number][]) =>
    createNavs(
      session,
      values.map(([name, net]) =>
        navCreateSchema.parse({
          ...of,
          investor: investor(name),
          cutOffDate,
          gross: net + 5,
          net,
          currency: 'USD',
          status: 'Active',
        }),
      ),
    );
  await call('1', '2025-02-01', '2025-02-15', [400, 40, 20]);
  await call('2', '2025-03-01', '2025-03-15', [300.01, 0, 10], {
    amounts: [{ investor: investor(ABBEY), purposes: [{ title: 'Loans', excused: true }], excuse: { reason: EXCUSE } }],
  });
  await distribute(session, [
    distributionCreateSchema.parse({
      ...of,
      cutOffDate: '2025-06-30',
      callNumber: '1',
      distributionKind: 'Interest and Principal',
      principal: usd(100),
      components: [
        { title: 'Interest', actionType: 'INTEREST', amount: usd(40) },
        { title: 'Withheld', actionType: 'INTEREST TAX', split: 'terms', rate: 15 },
      ],
      // One of the two is taxed at another rate.
      amounts: [{ investor: investor(BRYHER), components: [{ title: 'Withheld', rate: 5 }] }],
      pdfOptions: { recallableDistribution: true },
      status: 'Active',
    }),
  ]);
  await value('2025-09-30', [
    [ABBEY, 100],
    [BRYHER, 600],
  ]);
  await closeInvestors(
    session,
    closingCreateSchema.parse({
      ...of,
      title: 'Second closing',
      closingDate: '2025-10-31',
      dueDate: '2025-11-15',
      callNumber: '3',
      distributionNumber: '2',
      investors: [
        { investor: investor(CROW), amount: 2000 },
        { investor: investor(ABBEY), amount: 500 },
      ],
      status: 'Active',
    }),
  );
  await value('2025-12-31', [
    [ABBEY, 150],
    [BRYHER, 400],
    [CROW, 250],
  ]);
  const { documents } = await listCommitments(session, { filter: { fund: fund.id } });
  const bryher = documents.find((one) => one.investor?.title === BRYHER)!;
  await transferCommitment(
    session,
    commitmentTransferSchema.parse({
      commitment: bryher.id,
      version: bryher.version,
      to: investor(DEEP),
      date: '2026-01-31',
      sharePercent: '33.33333333',
      price: 160.5,
    }),
  );
  await call('4', '2026-02-15', '2026-03-01', [500, 20, 0]);
  await value('2026-03-31', [
    [ABBEY, 210],
    [BRYHER, 420],
    [CROW, 410],
    [DEEP, 205.55],
  ]);
  return fund.id;
}

const SHEET = { bucket: 'importerFiles', key: 'x/y.csv', name: 'y.csv', size: 1, type: 'text/csv', checksum: null };
const contentOf = (kind: ImportKind, list: readonly Cells[], status?: ImportInput['status']): ImportInput => ({
  kind,
  rows: list.map((cells, index): ImportRow => ({ file: 0, row: index + 2, cells })),
  attachments: [SHEET],
  files: [],
  ...(status ? { status } : {}),
});
const run = (kind: ImportKind, list: readonly Cells[], status?: ImportInput['status']) =>
  database.store.as(here, (session) => importRows(session, contentOf(kind, list, status)));
const problemsOf = async (kind: ImportKind, list: readonly Cells[], status?: ImportInput['status']) => {
  const { rows } = await database.store.as(here, (session) => checkImport(session, contentOf(kind, list, status)), {
    rollback: true,
  });
  return rows.flatMap(({ row, problems }) => problems.map(({ column, message }) => [row, column, message]));
};

const party = (name: string) => ({ investorType: 'LP', investorCode: name, fundCode: FUND });
const entry = (name: string, date: string) => ({ ...party(name), currency: 'USD', date });

/** The calls and distributions of the fund elsewhere, without those that its closing made, as rows of a file. */
async function documentRows(session: Session, fund: string) {
  const [closing] = await closingsOfFund(session, fund);
  const contributions = (await listContributions(session, { filter: { fund } })).documents
    .filter(({ activityId }) => activityId !== closing?.callId)
    .map((one) => ({
      ...entry(one.investor!.title, one.cutOffDate),
      dueDate: one.dueDate,
      callName: one.callNumber,
      ...(one.excuseReason ? { excuse: one.excuseReason } : {}),
      ...Object.fromEntries(one.purposes.map(({ kind, amount }) => [`keyValues.${kind}`, String(amount)])),
    }));
  const distributions = (await listDistributions(session, { filter: { fund } })).documents
    .filter(({ activityId }) => activityId !== closing?.distributionId)
    .map((one) => ({
      ...entry(one.investor!.title, one.cutOffDate),
      callName: one.callNumber,
      'keyValues.principal': one.principal,
      ...Object.fromEntries(
        one.components.map(({ actionType, amount }) => [`keyValues.${actionType}`, String(amount)]),
      ),
      recallable: one.pdfOptions.recallableDistribution ? 'yes' : 'no',
    }));
  return { contributions, distributions };
}

const nav = (date: string, name: string, net: number): Cells => ({
  ...entry(name, date),
  defaultValue: String(net),
  'keyValues.gross': String(net + 5),
});
const CLOSING = {
  fundCode: FUND,
  title: 'Second closing',
  date: '2025-10-31',
  dueDate: '2025-11-15',
  callName: '3',
  distributionName: '2',
  currency: 'USD',
};
const ENTRANTS = [
  { ...CLOSING, ...party(CROW), defaultValue: '2000' },
  { ...CLOSING, ...party(ABBEY), defaultValue: '500' },
];
const TRANSFER = {
  ...party(BRYHER),
  toType: 'LP',
  toCode: DEEP,
  date: '2026-01-31',
  currency: 'USD',
  sharePercent: '33.33333333',
  price: '160.5',
};

const DAYS = [
  '2025-02-28',
  '2025-07-01',
  '2025-10-31',
  '2025-11-15',
  '2026-01-30',
  '2026-01-31',
  '2026-03-01',
  '2026-04-30',
];

/** Every figure of the fund and of each of its investors, by name. */
async function figuresOf(actor: UserActor) {
  return database.store.as(
    actor,
    async (session) => {
      const [{ id: fundId } = { id: '' }] = await session.query<{ id: string }>(
        'select id from funds where title = $1',
        [FUND],
      );
      const lps = await session.query<{ id: string; title: string }>(
        'select id, title from lps where title = any ($1)',
        [NAMES],
      );
      const idOf = new Map(lps.map(({ id, title }) => [title, id]));
      const days = [];
      for (const cutOffDate of DAYS) {
        for (const name of [null, ...NAMES]) {
          const query = { fundId, cutOffDate, ...(name ? { investorId: idOf.get(name)! } : {}) };
          const { coverage, ...figures } = await selectionFigures(session, query);
          const { gross, net } = await selectionReturns(session, query);
          days.push({ name, ...figures, known: coverage.known, gross: gross.rate, net: net.rate });
        }
      }
      const { documents } = await listCommitments(session, { filter: { fund: fundId } });
      const activity = [];
      for (const { id, investor } of documents.toSorted((a, b) => a.investor!.title.localeCompare(b.investor!.title))) {
        const { statement } = await activityOf(session, { id, cutOffDate: '2026-04-30' });
        activity.push({
          name: investor?.title,
          entries: statement.entries.map(({ title: _, ...one }) => one),
          closing: statement.closing,
        });
      }
      const accounts = await createCapitalAccounts(
        session,
        NAMES.map((name) =>
          capitalAccountCreateSchema.parse({
            fund: fundId,
            investor: { id: idOf.get(name), kind: 'LP' },
            cutOffDate: '2026-03-31',
          }),
        ),
      );
      const fees = await fundFees(session, {
        fundId,
        currency: 'USD',
        from: '2025-01-15',
        to: '2026-04-01',
        at: '2026-03-31',
      });
      const terms = await feeTermsOfInvestors(session, { fundId, at: '2026-03-31' });
      return {
        days,
        activity,
        statements: accounts.map(({ statement }) => statement),
        fees: pick(fees.total, 'management', 'called', 'outside', 'paid'),
        terms: terms.map(({ title, terms: own }) => [title, own]),
        excuses: (await listContributions(session, { filter: { fund: fundId } })).documents.flatMap(
          ({ investor, excuseReason }) => (excuseReason ? [[investor?.title, excuseReason]] : []),
        ),
        transfers: (await transfersOfFund(session, fundId)).map(({ amount, sharePercent, price, date }) => ({
          amount,
          sharePercent,
          price,
          date,
        })),
      };
    },
    { rollback: true },
  );
}

describe('a fund that lives elsewhere', () => {
  test('is moved in with its history, and has the same figures on every day', async () => {
    const rows = await database.store.as(elsewhere, async (session) => documentRows(session, await makeFund(session)));
    const until = (list: readonly { date: string }[], from: string, to: string) =>
      list.filter(({ date }) => date >= from && date < to) as Cells[];
    await run('funds', [
      {
        title: FUND,
        strategy: 'ABL',
        type: 'ComingleFund',
        currency: 'USD',
        targetSize: '10000',
        hardCap: '10000',
        entityFormalId: 'T-1',
        nationalityCountryCode: 'US',
        excuseCap: '50',
        'equalization.ratePercent': '8',
        'equalization.feeInterestTo': 'investors',
      },
    ]);
    await run(
      'LPs',
      NAMES.map((name) => ({ entityName: name, formalId: name, country: 'US' })),
    );
    const first = (name: string, amount: string) => ({
      ...entry(name, '2025-01-15'),
      callName: 'First',
      defaultValue: amount,
    });
    await run('LPCommitments', [first(ABBEY, '1000'), first(BRYHER, '3000')], 'Active');
    await run('feeTerms', [
      {
        fundCode: FUND,
        date: '2025-01-15',
        'management.committed': '2',
        'success.hurdle': '8',
        'success.rate': '20',
        'success.catchUp': '100',
        'success.interestShare': '50',
      },
    ]);
    await run('sideLetters', [
      {
        ...party(ABBEY),
        date: '2025-02-01',
        title: 'First investor',
        'management.committed': '2',
        'management.waiver': '50',
      },
    ]);
    await run('contributions', until(rows.contributions, '', '2025-10-31'), 'Active');
    await run('distributions', until(rows.distributions, '', '2025-10-31'), 'Active');
    await run('navs', [nav('2025-09-30', ABBEY, 100), nav('2025-09-30', BRYHER, 600)], 'Active');
    // What another system has is compared with what follows.
    const paidIn = [
      { ...ENTRANTS[0]!, paidIn: '1', interest: '2' },
      { ...ENTRANTS[1]!, dueDate: '2025-11-16' },
    ];
    expect(await problemsOf('closings', paidIn)).toEqual([[3, 'dueDate', 'must be as in row 2, of the same closing']]);
    const [wrong, wrongInterest] = await problemsOf('closings', [paidIn[0]!, ENTRANTS[1]!]);
    expect([wrong, wrongInterest]).toEqual([
      [2, 'paidIn', expect.stringMatching(/^comes to \d+/)],
      [2, 'interest', expect.stringMatching(/^comes to \d+/)],
    ]);
    const amount = (problem: unknown) => String((problem as string[])[2]).replace('comes to ', '');
    await run(
      'closings',
      [{ ...ENTRANTS[0]!, paidIn: amount(wrong), interest: amount(wrongInterest) }, ENTRANTS[1]!],
      'Active',
    );
    await run(
      'navs',
      [nav('2025-12-31', ABBEY, 150), nav('2025-12-31', BRYHER, 400), nav('2025-12-31', CROW, 250)],
      'Active',
    );
    const transferred = await run('transfers', [TRANSFER]);
    await run('contributions', until(rows.contributions, '2025-10-31', '9'), 'Active');
    const last: [string, number][] = [
      [ABBEY, 210],
      [BRYHER, 420],
      [CROW, 410],
      [DEEP, 205.55],
    ];
    await run(
      'navs',
      last.map(([name, net]) => nav('2026-03-31', name, net)),
      'Active',
    );

    const [there, moved] = [await figuresOf(elsewhere), await figuresOf(here)];
    expect(there.days.filter(({ net }) => net !== null).length).toBeGreaterThan(20);
    expect(there.excuses).toEqual([[ABBEY, EXCUSE]]);
    expect(moved).toEqual(there);
    await expect(database.store.as(here, (session) => undoImport(session, transferred.id))).rejects.toThrow(
      /their import is not undone/,
    );
  });

  test('names what a row of a change gets wrong', async () => {
    expect(await problemsOf('transfers', [{ ...TRANSFER, date: '2026-05-31', toCode: BRYHER }])).toEqual([
      [2, 'toCode', 'is the investor that transfers'],
    ]);
    expect(await problemsOf('transfers', [{ ...TRANSFER, date: '2026-05-31', defaultValue: '1' }])).toEqual([
      [2, 'sharePercent', 'Enter either a share of the interest or an amount that is unfunded'],
    ]);
    expect(await problemsOf('transfers', [{ ...TRANSFER, date: '2026-05-31', toCode: 'Nobody' }])).toEqual([
      [2, 'toCode', 'is not exactly the name of an LP. Choose which one it is'],
    ]);
    expect(await problemsOf('transfers', [{ ...TRANSFER, date: '2026-05-31', currency: 'EUR' }])).toEqual([
      [2, 'currency', 'must be in USD, the currency of the fund'],
    ]);
    expect(await problemsOf('transfers', [{ ...TRANSFER, date: '2026-03-31' }])).toEqual([
      [2, 'date', expect.stringContaining('must be after 31 Mar 2026')],
    ]);
    const terms = { fundCode: FUND, date: '2026-05-31' };
    expect(await problemsOf('feeTerms', [{ ...terms, 'management.committed': '100.5' }])).toEqual([
      [2, 'management.committed', 'must be at most 100'],
    ]);
    expect(
      await problemsOf('feeTerms', [{ ...terms, 'stepDown.invested': '-1', 'management.minimum': '0.001' }]),
    ).toEqual([[2, 'stepDown.invested', 'must be at least 0']]);
    expect(await problemsOf('feeTerms', [{ ...terms, date: '2025-01-15' }])).toEqual([[2, 'date', 'is taken']]);
    expect(await problemsOf('sideLetters', [{ ...party(ABBEY), date: '2025-02-01' }])).toEqual([
      [2, 'date', 'is taken'],
    ]);
    expect(
      await problemsOf('closings', [{ ...ENTRANTS[0]!, callName: '9', distributionName: '9', date: '2025-09-30' }]),
    ).toEqual([[2, 'date', expect.any(String)]]);
    const call = { ...entry(ABBEY, '2026-05-31'), callName: '9' };
    expect(await problemsOf('contributions', [{ ...call, defaultValue: '0' }])).toEqual([
      [2, 'defaultValue', 'must be above zero'],
    ]);
    expect(await problemsOf('contributions', [{ ...call, defaultValue: '0', excuse: EXCUSE }])).toEqual([]);
    expect(await problemsOf('contributions', [{ ...call, defaultValue: '0', excuse: 'x'.repeat(501) }])).toEqual([
      [2, 'excuse', expect.any(String)],
    ]);
  });
});

describe('a change that was imported before', () => {
  const NEW = 'Gugh Fund';
  const of = (name: string) => ({ ...party(name), fundCode: NEW });
  const closing = (name: string, amount: string, more: Cells = {}): Cells => ({
    ...CLOSING,
    ...of(name),
    defaultValue: amount,
    ...more,
  });
  const transfer = (from: string, date: string, extent: Cells): Cells => ({
    ...of(from),
    toType: 'LP',
    toCode: DEEP,
    date,
    currency: 'USD',
    ...extent,
  });
  const committed = async () => {
    const rows = await database.query<{ title: string; sum: string }>(
      `select l.title, round(c.active_commitment + coalesce((select sum((d ->> 'amount')::numeric) from jsonb_array_elements(c.deltas) d), 0), 2)::text as sum
       from lp_commitments c join lps l on l.id = c.investor_lp_id join funds f on f.id = c.fund_id where f.title = $1 order by 1`,
      [NEW],
    );
    return rows.map(({ title, sum }) => [title, sum]);
  };
  const NEEDS_ANOTHER = 'Your firm requires a second person for this. Import it as Draft';

  beforeAll(async () => {
    const money = { currency: 'USD', targetSize: '10000', hardCap: '10000' };
    const entity = { entityFormalId: 'G-1', nationalityCountryCode: 'US' };
    const equalization = { 'equalization.ratePercent': '8', 'equalization.feeInterestTo': 'investors' };
    await run('funds', [{ title: NEW, strategy: 'ABL', type: 'ComingleFund', ...money, ...entity, ...equalization }]);
    const first = { date: '2025-01-15', currency: 'USD', callName: 'First' };
    const commitments = [
      { ...first, ...of(ABBEY), defaultValue: '1000' },
      { ...first, ...of(BRYHER), defaultValue: '3000' },
    ];
    await run('LPCommitments', commitments, 'Active');
  });

  test('of a closing is refused, and one of another title or day is not', async () => {
    const rows = [closing(CROW, '2000'), closing(ABBEY, '500')];
    // Within one file.
    expect(
      await problemsOf('closings', [rows[0]!, rows[1]!, closing(CROW, '2000', { title: 'second closing' })]),
    ).toEqual([[4, 'investorCode', 'is the same as in row 2']]);
    await run('closings', rows, 'Active');
    const why =
      'is the title of a closing of this fund on that day. Leave its rows out, or give another closing its own title';
    expect(await problemsOf('closings', rows)).toEqual([
      [2, 'title', why],
      [3, 'title', why],
    ]);
    expect(await problemsOf('closings', [closing(CROW, '2000', { title: 'SECOND closing' })])).toEqual([
      [2, 'title', why],
    ]);
    await expect(run('closings', rows, 'Active')).rejects.toThrow();
    expect(await committed()).toEqual([
      [ABBEY, '1500.00'],
      [BRYHER, '3000.00'],
      [CROW, '2000.00'],
    ]);
    expect(await problemsOf('closings', [closing(CROW, '2000', { title: 'Third closing' })])).toEqual([]);
    expect(await problemsOf('closings', [closing(CROW, '2000', { date: '2025-11-01' })])).toEqual([]);
  });

  test('that somebody else must issue is named by the check, and one that is a draft is not', async () => {
    await run(
      'contributions',
      [ABBEY, BRYHER].map((name) => ({
        ...of(name),
        currency: 'USD',
        date: '2025-11-20',
        dueDate: '2025-11-25',
        callName: '1',
        'keyValues.investments': '10',
      })),
      'Active',
    );
    const rows = [
      closing(CROW, '100', { title: 'Third closing', date: '2025-12-01', dueDate: '2025-12-10' }),
      closing(DEEP, '100', { title: 'Third closing', date: '2025-12-01', dueDate: '2025-12-10' }),
    ];
    expect(await problemsOf('closings', rows, 'Active')).toEqual([]);
    const always = { when: 'always', amount: null };
    await database.query('update managers set second_person = second_person || $2 where id = $1', [
      here.managerId,
      JSON.stringify({ calls: always, distributions: always }),
    ]);
    expect(await problemsOf('closings', rows, 'Active')).toEqual([
      [2, null, NEEDS_ANOTHER],
      [3, null, NEEDS_ANOTHER],
    ]);
    expect(await problemsOf('closings', rows, 'Draft')).toEqual([]);
  });

  test('of a transfer is refused, and one of another extent or day is not', async () => {
    const [amount, share] = [
      transfer(BRYHER, '2026-01-31', { defaultValue: '100' }),
      transfer(ABBEY, '2026-01-31', { sharePercent: '25' }),
    ];
    const [{ code } = { code: '' }] = await database.query<{ code: string }>(
      'select code::text as code from lps where title = $1 and manager_id = $2',
      [BRYHER, here.managerId],
    );
    // Within one file, also where another text names the investor.
    for (const investorCode of [BRYHER, code])
      expect(await problemsOf('transfers', [amount, { ...amount, investorCode }])).toEqual([
        [3, 'date', 'is the same as in row 2'],
      ]);
    await run('transfers', [amount, share]);
    const after = await committed();
    const why =
      'is the day on which this transfer is recorded already. Leave this row out, or enter another one like it on the page of the commitment';
    expect(await problemsOf('transfers', [amount, share])).toEqual([
      [2, 'date', why],
      [3, 'date', why],
    ]);
    expect(await problemsOf('transfers', [{ ...share, sharePercent: '25.00' }])).toEqual([[2, 'date', why]]);
    await expect(run('transfers', [amount, share])).rejects.toThrow();
    expect(await committed()).toEqual(after);
    for (const other of [
      { ...amount, defaultValue: '100.01' },
      { ...amount, date: '2026-02-01' },
      { ...share, sharePercent: '24.99999999' },
      { ...share, sharePercent: '', defaultValue: '25' },
      { ...share, date: '2026-02-01' },
      { ...share, toCode: CROW },
    ])
      expect(await problemsOf('transfers', [other])).toEqual([]);
    // Two people import one file at once.
    const next = [{ ...share, date: '2026-02-02' }];
    const both = await Promise.allSettled([run('transfers', next), run('transfers', next)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('changes after one that is refused', () => {
  test('are named as not checked, and those before it are ready', async () => {
    const of = { ...party(BRYHER), fundCode: 'Gugh Fund', toType: 'LP', toCode: DEEP, currency: 'USD' };
    const rows = [
      { ...of, date: '2026-02-20', defaultValue: '1' },
      { ...of, date: '2026-02-10', defaultValue: '99999' },
      { ...of, date: '2026-02-01', defaultValue: '1' },
    ];
    expect(await problemsOf('transfers', rows)).toEqual([
      [2, null, 'Not checked, because it can build on row 3. Correct row 3 first'],
      [3, 'defaultValue', expect.stringContaining('must be at most')],
    ]);
    expect(await problemsOf('transfers', [rows[0]!, rows[2]!])).toEqual([]);
  });

  test('are those of later days, also in a file of more rows than are written at once', async () => {
    const letter = { ...party(ABBEY), 'management.committed': '1' };
    const day = (index: number) => new Date(Date.UTC(2026, 5, 1 + index)).toISOString().slice(0, 10);
    const rows = Array.from({ length: 501 }, (_, index) => ({ ...letter, date: day(index) }));
    // The last row is of the first day, on which a letter begins already.
    rows.push({ ...letter, date: '2025-02-01' });
    const problems = await problemsOf('sideLetters', rows);
    expect(problems).toHaveLength(502);
    expect(problems[0]).toEqual([2, null, 'Not checked, because it can build on row 503. Correct row 503 first']);
    expect(problems.at(-1)).toEqual([503, 'date', 'is taken']);
  });
});
