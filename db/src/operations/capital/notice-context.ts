import type { CapitalLedger } from '@tapeline/domain/capital/capital-figures.ts';
import {
  type Letterhead,
  type NoticeFacts,
  type NoticeInvestor,
  type WireDetails,
  wireDetailsOf,
} from '@tapeline/domain/capital/notice-parts.ts';
import { obligationReference } from '@tapeline/domain/capital/payment-reference.ts';
import type { Bank } from '@tapeline/domain/entities/bank.schema.ts';
import type { Address } from '@tapeline/domain/entities/entity.schema.ts';
import type { PayoutAccount } from '@tapeline/domain/investors/investor-record.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { CapitalAccount, Contribution, Distribution } from '../../entities/capital.ts';
import type { Session } from '../../store.ts';
import type { WholeLine } from './headers.ts';
import { ledgersOf } from './ledgers.ts';

/** Reads a logo, by its key in the bucket `publicFiles`, as base64. Null if it cannot be printed. */
export type LogoReader = (key: string) => Promise<string | null>;

export type Called = Contribution | Distribution;

export type Noticed = Called | CapitalAccount;

export interface NoticeParty {
  id: string;
  name: string;
  formalName: string;
  code: number;
  addresses: Address[];
  contacts: { name: string; email?: string | null; phone?: string | null; role?: string | null }[];
  banks: Bank[];
  logo: string | null;
  /** Of an investor: the accounts that distributions are paid to. */
  payouts: Pick<PayoutAccount, 'currency' | 'ending' | 'confirmedBy'>[];
}

interface FundRow {
  id: string;
  title: string;
  classes: { name: string; uniqueKey: string }[];
  /** The place of each class by its key, which it keeps. */
  classPlaces: Readonly<Record<string, number>>;
  partner: string | null;
}

/** What the documents of one batch refer to, each read once. */
export interface NoticeContext {
  readonly parties: ReadonlyMap<string, NoticeParty>;
  readonly funds: ReadonlyMap<string, FundRow>;
  readonly letterheads: ReadonlyMap<string, Letterhead>;
  readonly ledgers: ReadonlyMap<string, CapitalLedger>;
  /** What all investors of a call or distribution have together, by its id. */
  readonly wholes: ReadonlyMap<string, WholeActivity>;
}

export interface WholeActivity {
  /** Of a distribution. */
  readonly principal: DecimalText | null;
  /** Of a call that was issued: the title that its fund had then, with whose initials its references begin. */
  readonly issuedTitle: string | null;
  /** The purposes of a call, or the components of a distribution. */
  readonly lines: readonly WholeLine[];
}

const WHOLES = `
  select id, null as principal, issued_title as "issuedTitle", purposes as lines from capital_calls where id = any ($1)
  union all select id, principal::text, null, components from distribution_events where id = any ($1)`;

/** SQL of those of a table whose ids are a value, as `NoticeParty`. */
export const partiesIn = (table: string, title: string, index: number): string => `
  select t.id, t.code, coalesce(e.name, ${title}) as name,
    coalesce(nullif(e.business ->> 'formalName', ''), e.name, ${title}) as "formalName",
    coalesce(e.business -> 'headQuarters', '[]') || jsonb_build_array(e.nationality) as addresses,
    coalesce(e.contacts, '[]') as contacts, coalesce(e.banks, '[]') as banks, e.business ->> 'logo' as logo,
    ${table === 'lps' ? 't.payout_accounts' : "'[]'::jsonb"} as payouts
  from ${table} t left join entities e on e.id = t.entity_id where t.id = any ($${index})`;

const PARTIES = [
  partiesIn('managers', "'The manager'", 1),
  partiesIn('lps', 't.title', 2),
  partiesIn('funds', 't.title', 3),
].join(' union all ');

const FUNDS = `
  select f.id, f.title, f.classes, f.class_places as "classPlaces", (select name from entities where id = f.gp_ids[1]) as partner
  from funds f where f.id = any ($1)
  union all select m.id, m.title, '[]', '{}', null from main_funds m where m.id = any ($1)`;

const UNKNOWN: Omit<NoticeParty, 'id' | 'name' | 'formalName'> = {
  code: 0,
  addresses: [],
  contacts: [],
  banks: [],
  logo: null,
  payouts: [],
};

const fundIdsOf = (document: Noticed): string[] =>
  [document.fundId, 'mainFundId' in document ? document.mainFundId : null].flatMap((id) => id ?? []);

const isCalled = (document: Noticed): document is Called => 'commitmentId' in document;
const different = (values: readonly (string | null | undefined)[]): string[] => [
  ...new Set(values.flatMap((value) => value ?? [])),
];

/** The first address, a line each. */
export const addressLines = (addresses: readonly (Address | null)[]): string[] => {
  const [address] = addresses;
  if (!address) return [];
  const street = [address.address, address.houseNumber].filter(Boolean).join(' ');
  const city = [address.city, address.state, address.zip].filter(Boolean).join(', ');
  return [street, city, address.country].filter(Boolean);
};

/** What a manager's documents begin with. */
export async function letterheadOf(
  { name, logo, addresses, contacts }: Pick<NoticeParty, 'name' | 'logo' | 'addresses' | 'contacts'>,
  readLogo: LogoReader | null,
): Promise<Letterhead> {
  const [contact] = contacts;
  return {
    name,
    logo: logo && readLogo ? await readLogo(logo) : null,
    contact: [...addressLines(addresses).slice(0, 2), contact?.email ?? '', contact?.phone ?? ''].filter(Boolean),
  };
}

/** Reads manager, fund, logo, investors and ledgers of documents once, however many they are. */
export async function readContext(
  session: Session,
  documents: readonly Noticed[],
  readLogo: LogoReader | null,
): Promise<NoticeContext> {
  const fundIds = different(documents.flatMap(fundIdsOf));
  const managerIds = different(documents.map(({ managerId }) => managerId));
  const investorIds = different(documents.map(({ investorLPId }) => investorLPId));
  const partyFundIds = different([...fundIds, ...documents.map(({ investorFundId }) => investorFundId)]);
  const ofParties = [managerIds, investorIds, partyFundIds];
  const parties = await session.query<NoticeParty>(PARTIES, ofParties, { kept: true });
  const byId = new Map(parties.map((party) => [party.id, party]));
  const letterheads = new Map<string, Letterhead>();
  for (const id of managerIds) {
    letterheads.set(id, await letterheadOf(partyOf(byId, id, 'The manager'), readLogo));
  }
  const funds = await session.query<FundRow>(FUNDS, [fundIds], { kept: true });
  const called = documents.filter(isCalled);
  const ids = different(called.map((one) => one.activityId));
  const wholes =
    ids.length > 0 ? await session.query<WholeActivity & { id: string }>(WHOLES, [ids], { kept: true }) : [];
  return {
    wholes: new Map(wholes.map((whole) => [whole.id, whole])),
    parties: byId,
    letterheads,
    funds: new Map(funds.map((fund) => [fund.id, fund])),
    ledgers: await ledgersOf(session, different(called.map(({ commitmentId }) => commitmentId))),
  };
}

const partyOf = (parties: ReadonlyMap<string, NoticeParty>, id: string, name: string): NoticeParty =>
  parties.get(id) ?? { ...UNKNOWN, id, name, formalName: name };

export function investorOf({ parties }: NoticeContext, { investorLPId, investorFundId }: Noticed): NoticeInvestor {
  const party = partyOf(parties, investorLPId ?? investorFundId ?? '', 'An investor');
  const contact = party.contacts[0]?.name;
  return {
    formalName: party.formalName,
    code: `${investorLPId ? 'LP' : 'F'}-${party.code}`,
    address: [...(contact ? [contact] : []), ...addressLines(party.addresses)],
  };
}

/** The class of a commitment, by its name. */
export const classOf = ({ funds }: NoticeContext, { fundId, Class }: Noticed): string | null =>
  funds.get(fundId ?? '')?.classes.find(({ uniqueKey }) => uniqueKey === Class)?.name ?? null;

/** The fund that a document is of: a statement without one covers its main fund. */
export function fundOf({ funds, parties }: NoticeContext, document: Noticed) {
  const [id = ''] = fundIdsOf(document);
  const fund = funds.get(id);
  return {
    title: fund?.title ?? '',
    legalName: parties.get(id)?.formalName ?? fund?.title ?? '',
    currency: document.currency,
    className: fund?.classes.find(({ uniqueKey }) => uniqueKey === document.Class)?.name ?? null,
    partner: fund?.partner ?? null,
  };
}

/** What everything that is printed of one call or distribution has in common. */
export function factsOf(context: NoticeContext, document: Called): NoticeFacts {
  const { partner, ...fund } = fundOf(context, document);
  return {
    letterhead: context.letterheads.get(document.managerId)!,
    fund,
    callNumber: document.callNumber,
    issueDate: document.issuedOn ?? document.cutOffDate,
    cutOffDate: document.cutOffDate,
    trailingDescription: document.trailingDescription ?? null,
    signatory: partner ? { organization: partner, name: null, role: null } : null,
  };
}

/** The ledger of a document's commitment without this document and without later ones. */
export function ledgerBefore({ ledgers }: NoticeContext, document: Called): CapitalLedger {
  const ledger = ledgers.get(document.commitmentId);
  if (!ledger) throw new RangeError('The commitment of this document is not known');
  const isEarlier = (one: object): boolean => {
    const { id, code, cutOffDate } = one as { id: string; code: number; cutOffDate: string };
    return (
      id !== document.id &&
      (cutOffDate < document.cutOffDate || (cutOffDate === document.cutOffDate && code < document.code))
    );
  };
  return 'dueDate' in document
    ? { ...ledger, calls: ledger.calls.filter(isEarlier) }
    : { ...ledger, distributions: ledger.distributions.filter(isEarlier) };
}

export function wireOf({ parties }: NoticeContext, fundId: string): WireDetails | null {
  const fund = parties.get(fundId);
  const [bank] = fund?.banks ?? [];
  return fund && bank ? wireDetailsOf(bank, fund.formalName) : null;
}

/** The end of the account that a distribution is paid to: of one that a second person has confirmed. */
export const paidToOf = ({ parties }: NoticeContext, { investorLPId, currency }: Distribution): string | null =>
  parties.get(investorLPId ?? '')?.payouts.find((one) => one.currency === currency && one.confirmedBy !== null)
    ?.ending ?? null;

/** What the investor states with its payment, or the fund with its own. */
export function referenceOf({ funds, parties, wholes }: NoticeContext, document: Called): string {
  const { fundId, activityId, callNumber, investorLPId, investorFundId, Class } = document;
  return obligationReference({
    kind: 'dueDate' in document ? 'contribution' : 'distribution',
    source: {
      title: wholes.get(activityId)?.issuedTitle ?? funds.get(fundId)?.title ?? '',
      code: parties.get(fundId)?.code ?? 0,
    },
    number: callNumber,
    party: {
      kind: investorLPId ? 'LP' : 'fund',
      code: parties.get(investorLPId ?? investorFundId ?? '')?.code ?? 0,
    },
    classPlace: funds.get(fundId)?.classPlaces[Class ?? ''] ?? null,
  });
}

/** The share of a document's investor, and what it is a share of. */
export const holdingOf = ({ holdingPercentage, holdingClass, basis }: Called) => ({
  basis,
  holdingPercent: holdingPercentage ?? null,
  holdingOf: holdingClass ? ('class' as const) : ('fund' as const),
});
