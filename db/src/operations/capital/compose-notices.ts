import type { CapitalAccountStatement } from '@tapeline/domain/capital/capital-account-statement.ts';
import { type CallFacts, type CallShare, callPosition } from '@tapeline/domain/capital/capital-call-notice.ts';
import type { CapitalLedger } from '@tapeline/domain/capital/capital-figures.ts';
import {
  type DistributionFacts,
  type DistributionShare,
  distributionPosition,
} from '@tapeline/domain/capital/distribution-notice.ts';
import {
  type Letterhead,
  type NoticeFacts,
  type NoticeInvestor,
  type WireDetails,
  wireDetailsOf,
} from '@tapeline/domain/capital/notice-parts.ts';
import { paymentReference } from '@tapeline/domain/capital/payment-reference.ts';
import { printCapitalAccountStatement } from '@tapeline/domain/capital/print/account-statement.ts';
import { printCapitalCallNotice, printCapitalCallSummary } from '@tapeline/domain/capital/print/capital-call.ts';
import { printDistributionNotice, printDistributionSummary } from '@tapeline/domain/capital/print/distribution.ts';
import type { Bank } from '@tapeline/domain/entities/bank.schema.ts';
import type { Address } from '@tapeline/domain/entities/entity.schema.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { noticeFileName } from '@tapeline/domain/printing/file-names.ts';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { CapitalAccount, Contribution, Distribution } from '../../entities/capital.ts';
import type { Session } from '../../store.ts';
import { ofWhole, type WholeLine } from './headers.ts';
import { ledgersOf } from './ledgers.ts';
import type { NoticeTable } from './notice-mails.ts';

/** A document that is made into a file. */
export interface NoticeReference {
  readonly table: NoticeTable;
  readonly id: string;
}

/** What a file says, and what it is called. */
export interface Composed {
  readonly printed: PrintedDocument;
  readonly name: string;
}

/** A file that is to be made. Everything it needs has been read. */
export interface DueNotice extends NoticeReference {
  readonly managerId: string;
  /** @throws RangeError or TypeError if the data cannot be printed */
  compose(): Composed;
}

/** Reads a logo, by its key in the bucket `publicFiles`, as base64. Null if it cannot be printed. */
export type LogoReader = (key: string) => Promise<string | null>;

type Called = Contribution | Distribution;
type Noticed = Called | CapitalAccount;

interface Party {
  id: string;
  name: string;
  formalName: string;
  code: number;
  addresses: Address[];
  contacts: { name: string; email?: string | null; phone?: string | null; role?: string | null }[];
  banks: Bank[];
  logo: string | null;
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
interface Context {
  readonly parties: ReadonlyMap<string, Party>;
  readonly funds: ReadonlyMap<string, FundRow>;
  readonly letterheads: ReadonlyMap<string, Letterhead>;
  readonly ledgers: ReadonlyMap<string, CapitalLedger>;
  /** What all investors of a call or distribution have together, by its id. */
  readonly wholes: ReadonlyMap<string, Whole>;
}

interface Whole {
  /** Of a distribution. */
  readonly principal: DecimalText | null;
  /** The purposes of a call, or the components of a distribution. */
  readonly lines: readonly WholeLine[];
}

const WHOLES = `
  select id, null as principal, purposes as lines from capital_calls where id = any ($1)
  union all select id, principal::text, components from distribution_events where id = any ($1)`;

const partiesIn = (table: string, title: string, index: number): string => `
  select t.id, t.code, coalesce(e.name, ${title}) as name,
    coalesce(nullif(e.business ->> 'formalName', ''), e.name, ${title}) as "formalName",
    coalesce(e.business -> 'headQuarters', '[]') || jsonb_build_array(e.nationality) as addresses,
    coalesce(e.contacts, '[]') as contacts, coalesce(e.banks, '[]') as banks, e.business ->> 'logo' as logo
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

const UNKNOWN: Omit<Party, 'id' | 'name' | 'formalName'> = {
  code: 0,
  addresses: [],
  contacts: [],
  banks: [],
  logo: null,
};

const fundIdsOf = (document: Noticed): string[] =>
  [document.fundId, 'mainFundId' in document ? document.mainFundId : null].flatMap((id) => id ?? []);

const isCalled = (document: Noticed): document is Called => 'commitmentId' in document;
const different = (values: readonly (string | null | undefined)[]): string[] => [
  ...new Set(values.flatMap((value) => value ?? [])),
];

const addressLines = (addresses: readonly (Address | null)[]): string[] => {
  const [address] = addresses;
  if (!address) return [];
  const street = [address.address, address.houseNumber].filter(Boolean).join(' ');
  const city = [address.city, address.state, address.zip].filter(Boolean).join(', ');
  return [street, city, address.country].filter(Boolean);
};

/** Reads manager, fund, logo, investors and ledgers of documents once, however many they are. */
async function readContext(
  session: Session,
  documents: readonly Noticed[],
  readLogo: LogoReader | null,
): Promise<Context> {
  const fundIds = different(documents.flatMap(fundIdsOf));
  const managerIds = different(documents.map(({ managerId }) => managerId));
  const parties = await session.query<Party>(PARTIES, [
    managerIds,
    different(documents.map(({ investorLPId }) => investorLPId)),
    different([...fundIds, ...documents.map(({ investorFundId }) => investorFundId)]),
  ]);
  const byId = new Map(parties.map((party) => [party.id, party]));
  const letterheads = new Map<string, Letterhead>();
  for (const id of managerIds) {
    const { name, logo, addresses, contacts } = partyOf(byId, id, 'The manager');
    const [contact] = contacts;
    letterheads.set(id, {
      name,
      logo: logo && readLogo ? await readLogo(logo) : null,
      contact: [...addressLines(addresses).slice(0, 2), contact?.email ?? '', contact?.phone ?? ''].filter(Boolean),
    });
  }
  const funds = await session.query<FundRow>(FUNDS, [fundIds]);
  const called = documents.filter(isCalled);
  const ids = different(called.map((one) => one.activityId));
  const wholes = ids.length > 0 ? await session.query<Whole & { id: string }>(WHOLES, [ids]) : [];
  return {
    wholes: new Map(wholes.map((whole) => [whole.id, whole])),
    parties: byId,
    letterheads,
    funds: new Map(funds.map((fund) => [fund.id, fund])),
    ledgers: await ledgersOf(session, different(called.map(({ commitmentId }) => commitmentId))),
  };
}

const partyOf = (parties: ReadonlyMap<string, Party>, id: string, name: string): Party =>
  parties.get(id) ?? { ...UNKNOWN, id, name, formalName: name };

function investorOf({ parties }: Context, { investorLPId, investorFundId }: Noticed): NoticeInvestor {
  const party = partyOf(parties, investorLPId ?? investorFundId ?? '', 'An investor');
  const contact = party.contacts[0]?.name;
  return {
    formalName: party.formalName,
    code: `${investorLPId ? 'LP' : 'F'}-${party.code}`,
    address: [...(contact ? [contact] : []), ...addressLines(party.addresses)],
  };
}

/** The class of a commitment, by its name. */
const classOf = ({ funds }: Context, { fundId, Class }: Noticed): string | null =>
  funds.get(fundId ?? '')?.classes.find(({ uniqueKey }) => uniqueKey === Class)?.name ?? null;

/** The fund that a document is of: a statement without one covers its main fund. */
function fundOf({ funds, parties }: Context, document: Noticed) {
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
function factsOf(context: Context, document: Called): NoticeFacts {
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
function ledgerBefore({ ledgers }: Context, document: Called): CapitalLedger {
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

function wireOf({ parties }: Context, fundId: string): WireDetails | null {
  const fund = parties.get(fundId);
  const [bank] = fund?.banks ?? [];
  return fund && bank ? wireDetailsOf(bank, fund.formalName) : null;
}

/** What the investor states with its payment. */
function referenceOf({ funds, parties }: Context, contribution: Contribution): string {
  const { fundId, callNumber, investorLPId, investorFundId, Class } = contribution;
  return paymentReference({
    fund: { title: funds.get(fundId)?.title ?? '', code: parties.get(fundId)?.code ?? 0 },
    callNumber,
    investor: {
      kind: investorLPId ? 'LP' : 'fund',
      code: parties.get(investorLPId ?? investorFundId ?? '')?.code ?? 0,
    },
    classPlace: funds.get(fundId)?.classPlaces[Class ?? ''] ?? null,
  });
}

/** The share of a document's investor, and what it is a share of. */
const holdingOf = ({ holdingPercentage, holdingClass }: Called) => ({
  holdingPercent: holdingPercentage ?? null,
  holdingOf: holdingClass ? ('class' as const) : ('fund' as const),
});

const byName = (a: { investor: NoticeInvestor }, b: { investor: NoticeInvestor }): number =>
  a.investor.formalName < b.investor.formalName ? -1 : a.investor.formalName > b.investor.formalName ? 1 : 0;

/** What is printed of a document of one kind, of which those that follow have the facts of the first. */
interface Printer<Document extends Called, Facts extends NoticeFacts, Share extends { investor: NoticeInvestor }> {
  readonly prefix: 'CALL' | 'DIST';
  /** What all investors read. @param reference what one of them states with its payment */
  readonly facts: (context: Context, document: Document, reference: string | null) => Facts;
  readonly share: (context: Context, document: Document) => Share & { readonly className: string | null };
  readonly notice: (facts: Facts, share: Share, whole: Whole) => PrintedDocument;
  readonly list: (facts: Facts, shares: readonly Share[]) => PrintedDocument;
}

const CALLS: Printer<Contribution, CallFacts, CallShare> = {
  prefix: 'CALL',
  facts: (context, contribution, reference) => ({
    ...factsOf(context, contribution),
    dueDate: contribution.dueDate,
    paymentReference: reference,
    wire: wireOf(context, contribution.fundId),
    pdfOptions: contribution.pdfOptions,
  }),
  share: (context, contribution) => ({
    investor: investorOf(context, contribution),
    className: classOf(context, contribution),
    ...holdingOf(contribution),
    purposes: contribution.purposes,
    position: callPosition(ledgerBefore(context, contribution), contribution.cutOffDate, contribution.purposes),
  }),
  notice: (facts, share, { lines }) => printCapitalCallNotice(facts, share, ofWhole(share.purposes, lines)),
  list: printCapitalCallSummary,
};

const PAYMENTS: Printer<Distribution, DistributionFacts, DistributionShare> = {
  prefix: 'DIST',
  facts: (context, distribution) => {
    const { vat, ...options } = distribution.pdfOptions;
    return {
      ...factsOf(context, distribution),
      distributionKind: distribution.distributionKind,
      pdfOptions: { ...options, vat: vat == null ? null : String(vat) },
    };
  },
  share: (context, distribution) => {
    const { principal, components, cutOffDate, pdfOptions } = distribution;
    const lines = { principal, components };
    const before = ledgerBefore(context, distribution);
    return {
      investor: investorOf(context, distribution),
      className: classOf(context, distribution),
      ...holdingOf(distribution),
      ...lines,
      position: distributionPosition(before, cutOffDate, lines, pdfOptions.recallableDistribution),
    };
  },
  notice: (facts, share, { principal, lines }) =>
    printDistributionNotice(facts, share, {
      principal: principal ?? '0',
      components: ofWhole(share.components, lines),
    }),
  list: printDistributionSummary,
};

const NOTHING: Whole = { principal: null, lines: [] };

const noticeWith =
  <Document extends Called, Facts extends NoticeFacts, Share extends { investor: NoticeInvestor }>(
    { prefix, facts, share, notice }: Printer<Document, Facts, Share>,
    referenceFor: (context: Context, document: Document) => string | null = () => null,
  ) =>
  (context: Context, document: Document): Composed => {
    const own = share(context, document);
    const whole = context.wholes.get(document.activityId) ?? NOTHING;
    return {
      printed: notice(facts(context, document, referenceFor(context, document)), own, whole),
      name: noticeFileName(prefix, document.callNumber, own.investor.formalName),
    };
  };

/**
 * A list of all investors, for the manager. It is headed with the class only if all of them are in it.
 * @param documents the lines of a call or distribution, at least one
 * @throws RangeError if they do not have the same amounts
 */
async function composeList<
  Document extends Called,
  Facts extends NoticeFacts,
  Share extends { investor: NoticeInvestor },
>(
  session: Session,
  { prefix, facts, share, list }: Printer<Document, Facts, Share>,
  documents: readonly Document[],
): Promise<Composed> {
  const [first] = documents;
  if (!first) throw new RangeError('A call or distribution has at least one line');
  const context = await readContext(session, documents, null);
  const shares = documents.map((document) => share(context, document)).sort(byName);
  const [className, ...others] = new Set(shares.map((one) => one.className));
  const all = facts(context, first, null);
  return {
    printed: list(
      { ...all, fund: { ...all.fund, className: others.length === 0 ? (className ?? null) : null } },
      shares,
    ),
    name: noticeFileName(prefix, first.callNumber, 'all investors'),
  };
}

export const composeCallList = (session: Session, lines: readonly Contribution[]) => composeList(session, CALLS, lines);
export const composeDistributionList = (session: Session, lines: readonly Distribution[]) =>
  composeList(session, PAYMENTS, lines);

const statementName = ({ cutOffDate }: CapitalAccount, { formalName }: NoticeInvestor): string =>
  `Capital account ${cutOffDate} ${formalName}`;

/** A computed statement with the people it is between. Null for an uploaded one. */
function statementIn(context: Context, account: CapitalAccount): CapitalAccountStatement | null {
  if (!account.statement) return null;
  const { partner: _, ...fund } = fundOf(context, account);
  return {
    letterhead: context.letterheads.get(account.managerId)!,
    fund,
    investor: investorOf(context, account),
    issueDate: account.metadata.iat.slice(0, 10),
    cutOffDate: account.cutOffDate,
    holdingPercent: null,
    holdingOf: account.Class ? 'class' : 'fund',
    ...account.statement,
  };
}

function accountStatement(context: Context, account: CapitalAccount): Composed {
  const statement = statementIn(context, account);
  if (!statement) throw new RangeError('An uploaded statement has a file already');
  return { printed: printCapitalAccountStatement(statement), name: statementName(account, statement.investor) };
}

/** Reads what the files of claimed documents say. They are all of one table. Runs as the program. */
export async function readNotices(
  session: Session,
  claimed: readonly NoticeReference[],
  readLogo: LogoReader,
): Promise<DueNotice[]> {
  const of = <Document extends Noticed>(
    documents: readonly Document[],
    compose: (context: Context, document: Document) => Composed,
  ) =>
    readContext(session, documents, readLogo).then((context) =>
      documents.map((document) => ({
        table: claimed[0]!.table,
        id: document.id,
        managerId: document.managerId,
        compose: () => compose(context, document),
      })),
    );
  const [first] = claimed;
  const where = { id: { $in: claimed.map(({ id }) => id) } };
  if (!first) return [];
  if (first.table === 'contributions')
    return of(await session.em.find(Contribution, where), noticeWith(CALLS, referenceOf));
  if (first.table === 'distributions') return of(await session.em.find(Distribution, where), noticeWith(PAYMENTS));
  return of(await session.em.find(CapitalAccount, where), accountStatement);
}

/** A computed statement with what it says besides its figures; null for an uploaded one. Runs as the program. */
export async function composeStatement(
  session: Session,
  account: CapitalAccount,
): Promise<{ statement: CapitalAccountStatement; name: string } | null> {
  const statement = statementIn(await readContext(session, [account], null), account);
  return statement && { statement, name: statementName(account, statement.investor) };
}
