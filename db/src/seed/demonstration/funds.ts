import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { commitmentTransferSchema } from '@tapeline/domain/commitments/transfer.ts';
import { type EntityCreate, entityCreateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import type { CommitmentFees } from '@tapeline/domain/funds/fees.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { mainFundCreateSchema } from '@tapeline/domain/funds/main-fund.schema.ts';
import { Fund } from '../../entities/funds.ts';
import { LP, User } from '../../entities/people.ts';
import { ServiceProvider } from '../../entities/service-providers.ts';
import { createCommitment } from '../../operations/commitments/change-commitments.ts';
import { transferCommitment } from '../../operations/commitments/transfer-commitment.ts';
import { createEntity } from '../../operations/entities/entities.ts';
import { createFund } from '../../operations/funds/change-funds.ts';
import type { CommitmentView } from '../../operations/funds/funds.ts';
import { createMainFund } from '../../operations/funds/main-funds.ts';
import type { Session } from '../../store.ts';
import { asManager } from './changes.ts';
import { UPLOADER_EMAIL } from './portfolio.ts';

/** The two larger funds of the demonstration's first manager, by which other parts of it find them. */
export const CREDIT_FUND = 'Harbour Credit Fund II';
export const EUROPEAN_FUND = 'Harbour European Credit Fund';

/** A day of a month before (or, negative, after) the seeding. */
function monthsBefore(now: Date, months: number, day: number): string {
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day));
  return date.toISOString().slice(0, 10);
}

interface Place {
  readonly country: string;
  readonly city: string;
  readonly zip: string;
  readonly address: string;
  readonly houseNumber: string;
  readonly state?: string;
}

const WILMINGTON: Place = {
  country: 'US',
  state: 'DE',
  city: 'Wilmington',
  zip: '19801',
  address: 'North Market Street',
  houseNumber: '1200',
};
const LUXEMBOURG: Place = {
  country: 'LU',
  city: 'Luxembourg',
  zip: 'L-2453',
  address: 'Rue Eugène Ruppert',
  houseNumber: '19',
};

const entity = (of: {
  name: string;
  formalId: string;
  type: NonNullable<EntityCreate['business']>['type'];
  at: Place;
  established: string;
  bank?: Record<string, string>;
}): EntityCreate =>
  entityCreateSchema.parse({
    name: of.name,
    formalId: of.formalId,
    nationality: { isPrimary: true, name: 'Registered office', ...of.at },
    business: {
      type: of.type,
      formalName: of.name,
      industries: ['Investment Management'],
      dateEstablished: of.established,
    },
    banks: of.bank
      ? [{ title: 'Capital account', bankName: 'Fictional Bank', address: of.at.city, type: 'Business', ...of.bank }]
      : [],
  });

/** What investors of class A and of class B, and of the European fund, pay. */
const FEES = {
  A: {
    management: { committed: 1.25 },
    success: { hurdle: 7, rate: 12.5, catchUp: 100 },
    transaction: { applied: true, cap: 0.5 },
  },
  B: {
    management: { committed: 1.5 },
    success: { hurdle: 7, rate: 15, catchUp: 100 },
    transaction: { applied: true, cap: 0.5 },
  },
  european: { management: { invested: 1.4 }, success: { hurdle: 6, rate: 10, catchUp: 80, interestShare: 50 } },
} satisfies Record<string, CommitmentFees>;

interface Later {
  readonly laterMonthsAgo: number;
  readonly laterMillions: number;
}

/** An investor's commitment: its class, the months before the seeding at which it closed, and the millions. */
type Committed = readonly [investor: string, Class: string | null, monthsAgo: number, millions: number, more?: Later];

/** The keys of the classes. */
const CLASS = { A: 'HCF2-A', B: 'HCF2-B' } as const;

const CREDIT_COMMITMENTS: readonly Committed[] = [
  ['Calder Valley Pension Scheme', CLASS.A, 36, 18],
  ['Pennine Teachers Pension Scheme', CLASS.A, 36, 15],
  ['St Bride Endowment', CLASS.A, 36, 8],
  ['Orchard Family Office', CLASS.B, 36, 3.5],
  ['Kestrel Insurance plc', CLASS.A, 33, 12, { laterMonthsAgo: 27, laterMillions: 4 }],
  ['Rheinblick Versorgungswerk', CLASS.A, 33, 10],
  ['Tyne and Wear Fire Fund', CLASS.B, 33, 4, { laterMonthsAgo: 27, laterMillions: 1.5 }],
  ['Alpenrose Pensionskasse AG', CLASS.A, 27, 7],
  ['Rheinblick Stiftung', CLASS.B, 27, 2],
];

const EUROPEAN_COMMITMENTS: readonly Committed[] = [
  ['Rheinblick Versorgungswerk', null, 20, 12],
  ['Alpenrose Pensionskasse AG', null, 20, 9],
  ['Kestrel Insurance plc', null, 14, 6],
  ['Rheinblick Stiftung', null, 14, 3],
];

/** The funds' time: what was decided when, by the user of the manager. */
interface Acting {
  readonly managerId: string;
  readonly user: User;
  readonly investors: ReadonlyMap<string, string>;
}

const onDay = <Result>(
  session: Session,
  { user, managerId }: Acting,
  day: string,
  work: (session: Session) => Promise<Result>,
) => asManager(session, { user, managerId, at: `${day}T10:20:00.000Z` }, work);

/** Makes the commitments to a fund on their closing dates. @returns the commitments by investor */
async function commitAll(
  session: Session,
  acting: Acting,
  fund: { id: string; fees: (Class: string | null) => CommitmentFees },
  commitments: readonly Committed[],
): Promise<Map<string, CommitmentView>> {
  const made = new Map<string, CommitmentView>();
  for (const [investor, Class, monthsAgo, millions, more] of commitments) {
    const id = acting.investors.get(investor);
    if (!id) throw new Error(`The demonstration has no ${investor}`);
    const { laterMonthsAgo, laterMillions } = { laterMonthsAgo: 0, laterMillions: 0, ...more };
    const closingDate = monthsBefore(session.now, monthsAgo, 15);
    const commitment = await onDay(session, acting, closingDate, (on) =>
      createCommitment(
        on,
        commitmentCreateSchema.parse({
          fund: fund.id,
          investor: { id, kind: 'LP' },
          ...(Class ? { Class } : {}),
          closingDate,
          maxCommitment: (millions + laterMillions) * 1_000_000,
          activeCommitment: millions * 1_000_000,
          deltas: laterMillions
            ? [
                {
                  date: monthsBefore(session.now, laterMonthsAgo, 15),
                  amount: laterMillions * 1_000_000,
                  title: 'Final closing',
                },
              ]
            : [],
          fees: fund.fees(Class),
        }),
      ),
    );
    made.set(investor, commitment);
  }
  return made;
}

/** A credit fund in US dollars: three years old, two classes, three closings and a transfer between investors. */
async function addCreditFund(session: Session, acting: Acting, providers: readonly string[]): Promise<string> {
  const { now } = session;
  const day = (months: number) => monthsBefore(now, months, 15);
  const { fund } = await onDay(session, acting, monthsBefore(now, 37, 4), async (on) => {
    const manager = await createEntity(
      on,
      entity({
        name: 'Harbour Credit Management LLC',
        formalId: '88-4130291',
        type: 'LLC',
        at: WILMINGTON,
        established: '2019-03-11',
      }),
    );
    return createFund(
      on,
      fundCreateSchema.parse({
        title: CREDIT_FUND,
        type: 'ComingleFund',
        strategy: 'ABL',
        currency: 'USD',
        targetSize: 75_000_000,
        hardCap: 100_000_000,
        closingDate: day(27),
        description: 'Senior and mezzanine lending against consumer and auto receivables',
        classes: [
          { name: 'Class A', uniqueKey: CLASS.A },
          { name: 'Class B', uniqueKey: CLASS.B },
        ],
        nonRecyclable: { declerationDate: day(-12), fromBeginning: false },
        managementCompany: manager.id,
        entity: entity({
          name: 'Harbour Credit Fund II LP',
          formalId: '92-6610274',
          type: 'Partnership',
          at: WILMINGTON,
          established: '2023-09-18',
          bank: { accountNumber: '7702218841', abaOrRouting: '063986789' },
        }),
        GPs: [
          entity({
            name: 'Harbour Credit GP II LLC',
            formalId: '92-6610260',
            type: 'LLC',
            at: WILMINGTON,
            established: '2023-09-18',
          }),
        ],
        serviceProviders: providers,
        timeline: [
          {
            title: 'Fundraising',
            description: 'first to final closing',
            planned: monthsBefore(now, 37, 1),
            endTime: day(27),
            actual: day(36),
            activated: true,
          },
          {
            title: 'Investment period',
            description: 'three years from the first closing',
            planned: day(36),
            endTime: day(-2),
            actual: day(36),
            activated: true,
          },
          {
            title: 'Investment period extension',
            description: 'six months, the advisory committee consents',
            planned: day(-2),
            endTime: day(-8),
            activated: true,
          },
          {
            title: 'Harvest period',
            description: 'repayments are distributed',
            planned: day(-2),
            endTime: day(-38),
          },
          { title: 'Term extension', description: 'one year, the GP decides', planned: day(-38), endTime: day(-50) },
        ],
      }),
    );
  });
  const fees = (Class: string | null) => (Class === CLASS.B ? FEES.B : FEES.A);
  const made = await commitAll(session, acting, { id: fund.id, fees }, CREDIT_COMMITMENTS);
  const from = made.get('Pennine Teachers Pension Scheme');
  const to = acting.investors.get('St Bride Endowment');
  if (from && to) {
    const date = day(14);
    await onDay(session, acting, date, (on) =>
      transferCommitment(
        on,
        commitmentTransferSchema.parse({
          commitment: from.id,
          version: from.version,
          to: { id: to, kind: 'LP' },
          date,
          amount: 3_000_000,
        }),
      ),
    );
  }
  return fund.id;
}

/** A credit fund in euros without classes, younger and with fewer investors. */
async function addEuropeanFund(session: Session, acting: Acting, providers: readonly string[]): Promise<void> {
  const { now } = session;
  const day = (months: number) => monthsBefore(now, months, 15);
  const { fund } = await onDay(session, acting, monthsBefore(now, 21, 6), (on) =>
    createFund(
      on,
      fundCreateSchema.parse({
        title: EUROPEAN_FUND,
        type: 'ComingleFund',
        strategy: 'GL',
        currency: 'EUR',
        targetSize: 40_000_000,
        hardCap: 50_000_000,
        closingDate: day(-3),
        description: 'Lending to European originators of consumer and equipment loans',
        managementCompany: entity({
          name: 'Harbour Credit Management (Europe) Sàrl',
          formalId: 'B278114',
          type: 'Company',
          at: LUXEMBOURG,
          established: '2024-11-05',
        }),
        entity: entity({
          name: 'Harbour European Credit Fund SCSp',
          formalId: 'B281905',
          type: 'Partnership',
          at: LUXEMBOURG,
          established: '2025-01-20',
          bank: { accountNumber: '0103478821', IBAN: 'LU280019400644750000' },
        }),
        GPs: [
          entity({
            name: 'Harbour European Credit GP Sàrl',
            formalId: 'B281877',
            type: 'Company',
            at: LUXEMBOURG,
            established: '2025-01-20',
          }),
        ],
        serviceProviders: providers.slice(0, 2),
        timeline: [
          {
            title: 'Fundraising',
            description: 'first to final closing',
            planned: day(21),
            endTime: day(-3),
            actual: day(20),
            activated: true,
          },
          { title: 'Investment period', planned: day(20), endTime: day(-28), actual: day(20), activated: true },
          { title: 'Harvest period', planned: day(-28), endTime: day(-64) },
        ],
      }),
    ),
  );
  await commitAll(session, acting, { id: fund.id, fees: () => FEES.european }, EUROPEAN_COMMITMENTS);
}

/**
 * The funds of the demonstration's first manager, with the commitments of its investors over three years, and the main
 * fund of those in US dollars. Requires its organizations and its first fund.
 */
export async function seedFunds(session: Session, managerId: string): Promise<void> {
  const { em, now } = session;
  const user = await em.findOneOrFail(User, { email: UPLOADER_EMAIL });
  const first = await em.findOneOrFail(Fund, { managerId });
  const investors = new Map((await em.find(LP, { managerId })).map(({ title, id }) => [title, id]));
  const providers = (
    await em.find(ServiceProvider, { managerId, type: { $in: ['Administrator', 'Auditor', 'Custodian'] } })
  )
    .toSorted((a, b) => a.type.localeCompare(b.type))
    .map(({ id }) => id);
  const acting = { managerId, user, investors };
  const fund = await addCreditFund(session, acting, providers);
  await addEuropeanFund(session, acting, providers);
  await onDay(session, acting, monthsBefore(now, 2, 9), (on) =>
    createMainFund(
      on,
      mainFundCreateSchema.parse({
        title: 'Harbour Credit',
        type: 'ComingleFund',
        strategy: 'ABL',
        currency: 'USD',
        targetSize: 200_000_000,
        hardCap: 250_000_000,
        description: 'The asset-backed credit funds in US dollars',
        classMembers: [first.id, fund],
      }),
    ),
  );
}
