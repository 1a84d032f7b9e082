import { type CallFacts, callPosition, capitalCallNotice } from '@tapeline/domain/capital/capital-call-notice.ts';
import type { CapitalLedger } from '@tapeline/domain/capital/capital-figures.ts';
import {
  type DistributionFacts,
  distributionNotice,
  distributionPosition,
} from '@tapeline/domain/capital/distribution-notice.ts';
import type { Letterhead, NoticeFacts, NoticeInvestor, WireDetails } from '@tapeline/domain/capital/notice-parts.ts';
import { printCapitalAccountStatement } from '@tapeline/domain/capital/print-capital-account.ts';
import { printCapitalCallNotice } from '@tapeline/domain/capital/print-capital-call.ts';
import { printDistributionNotice } from '@tapeline/domain/capital/print-distribution.ts';
import type { Address } from '@tapeline/domain/entities/entity.schema.ts';
import { noticeFileName, safeFileName } from '@tapeline/domain/printing/file-names.ts';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { CapitalAccount, Contribution, Distribution } from '../../entities/capital.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import type { Bucket } from '../files/files.ts';
import { removeFile } from '../files/files.ts';
import { enqueueMail } from '../outbox/enqueue-mail.ts';
import { ledgersOf } from './ledgers.ts';
import { NOTICE_TABLES, type NoticeTable, noticeMail } from './notice-mails.ts';
import { today } from './notices.ts';

type Noticed = Contribution | Distribution | CapitalAccount;

/** A file that is to be made: what it says, and what it is called. */
export interface DueNotice {
  readonly table: NoticeTable;
  readonly id: string;
  readonly printed: PrintedDocument;
  readonly name: string;
}

/** Reads a logo, by its key in the bucket `publicFiles`, as base64. Null if it cannot be printed. */
export type LogoReader = (key: string) => Promise<string | null>;

const DUE: Readonly<Record<NoticeTable, string>> = {
  contributions: `status in ('Active', 'Closed')`,
  distributions: `status in ('Active', 'Closed')`,
  capital_accounts: `statement is not null and status <> 'Removed'`,
};

/**
 * Locks one document that is issued and has no file yet; another worker takes the next one. Null if there is none.
 * Runs as the program, and keeps the lock until its transaction ends.
 */
export async function claimNotice(session: Session): Promise<{ table: NoticeTable; id: string } | null> {
  for (const table of NOTICE_TABLES) {
    const [found] = await session.query<{ id: string }>(
      `select id from ${table} where file_id is null and file_problem is null and ${DUE[table]}
       order by code limit 1 for update skip locked`,
    );
    if (found) return { table, id: found.id };
  }
  return null;
}

interface Party {
  name: string;
  formalName: string;
  code: number;
  addresses: Address[];
  contacts: { name: string; email?: string | null; phone?: string | null; role?: string | null }[];
  banks: (Omit<WireDetails, 'bank' | 'bankAddress'> & { title: string; address: string })[];
  logo: string | null;
}

const PARTY = `e.name, coalesce(nullif(e.business ->> 'formalName', ''), e.name) as "formalName",
  coalesce(e.business -> 'headQuarters', '[]') || jsonb_build_array(e.nationality) as addresses,
  coalesce(e.contacts, '[]') as contacts, coalesce(e.banks, '[]') as banks, e.business ->> 'logo' as logo`;

const addressLines = ([address]: readonly Address[]): string[] => {
  if (!address) return [];
  const street = [address.address, address.houseNumber].filter(Boolean).join(' ');
  const city = [address.city, address.state, address.zip].filter(Boolean).join(', ');
  return [street, city, address.country].filter(Boolean);
};

async function partyOf(session: Session, table: 'managers' | 'lps' | 'funds', id: string): Promise<Party> {
  const [party] = await session.query<Party>(
    `select t.code, ${PARTY} from ${table} t left join entities e on e.id = t.entity_id where t.id = $1`,
    [id],
  );
  if (party?.name) return party;
  const [named] = await session.query<{ title: string; code: number }>(
    `select ${table === 'managers' ? "'The manager'" : 't.title'} as title, t.code from ${table} t where t.id = $1`,
    [id],
  );
  const name = named?.title ?? 'An investor';
  return { name, formalName: name, code: named?.code ?? 0, addresses: [], contacts: [], banks: [], logo: null };
}

const letterheadOf = async (
  { name, logo, addresses, contacts: [contact] }: Party,
  readLogo: LogoReader,
): Promise<Letterhead> => ({
  name,
  logo: logo ? await readLogo(logo) : null,
  contact: [...addressLines(addresses).slice(0, 2), contact?.email ?? '', contact?.phone ?? ''].filter(Boolean),
});

async function investorOf(session: Session, document: Noticed): Promise<NoticeInvestor> {
  const { investorLPId, investorFundId } = document;
  const party = investorLPId
    ? await partyOf(session, 'lps', investorLPId)
    : await partyOf(session, 'funds', investorFundId ?? '');
  const contact = party.contacts[0]?.name;
  return {
    formalName: party.formalName,
    code: `${investorLPId ? 'LP' : 'F'}-${party.code}`,
    address: [...(contact ? [contact] : []), ...addressLines(party.addresses)],
  };
}

interface FundRow {
  title: string;
  currency: string;
  className: string | null;
  partner: string | null;
}

async function fundOf(session: Session, document: Noticed): Promise<FundRow> {
  const [row] = await session.query<FundRow>(
    `select coalesce(f.title, m.title, '') as title, $4::text as currency,
       (select class ->> 'name' from jsonb_array_elements(f.classes) as class where class ->> 'uniqueKey' = $3) as "className",
       (select name from entities where id = f.gp_ids[1]) as partner
     from (select 1) as one left join funds f on f.id = $1 left join main_funds m on m.id = $2`,
    [
      document.fundId ?? null,
      'mainFundId' in document ? (document.mainFundId ?? null) : null,
      document.Class ?? null,
      document.currency,
    ],
  );
  return row!;
}

/** What everything that is printed for one document has in common. */
async function factsOf(
  session: Session,
  document: Contribution | Distribution,
  readLogo: LogoReader,
): Promise<NoticeFacts> {
  const manager = await partyOf(session, 'managers', document.managerId);
  const { partner, ...fund } = await fundOf(session, document);
  return {
    letterhead: await letterheadOf(manager, readLogo),
    fund,
    callNumber: document.callNumber,
    issueDate: document.issuedOn ?? document.cutOffDate,
    cutOffDate: document.cutOffDate,
    trailingDescription: document.trailingDescription ?? null,
    signatory: partner ? { organization: partner, name: null, role: null } : null,
  };
}

/** The ledger of a document's commitment without this document and without later ones. */
async function ledgerBefore(session: Session, document: Contribution | Distribution): Promise<CapitalLedger> {
  const ledger = (await ledgersOf(session, [document.commitmentId])).get(document.commitmentId)!;
  const isEarlier = (one: object): boolean => {
    const { id, code, cutOffDate } = one as { id: string; code: number; cutOffDate: string };
    return (
      id !== document.id &&
      (cutOffDate < document.cutOffDate || (cutOffDate === document.cutOffDate && code < document.code))
    );
  };
  const isCall = document instanceof Object && 'dueDate' in document;
  return isCall
    ? { ...ledger, calls: ledger.calls.filter(isEarlier) }
    : { ...ledger, distributions: ledger.distributions.filter(isEarlier) };
}

async function wireOf(session: Session, fundId: string): Promise<WireDetails | null> {
  const { banks } = await partyOf(session, 'funds', fundId);
  const [bank] = banks;
  if (!bank) return null;
  return {
    bank: bank.title,
    bankAddress: bank.address || null,
    accountName: bank.accountName || null,
    accountNumber: bank.accountNumber,
    IBAN: bank.IBAN || null,
    swiftCode: bank.swiftCode || null,
    abaOrRouting: bank.abaOrRouting || null,
  };
}

type Composed = Pick<DueNotice, 'printed' | 'name'>;

async function callNotice(session: Session, contribution: Contribution, readLogo: LogoReader): Promise<Composed> {
  const facts = await factsOf(session, contribution, readLogo);
  const investor = await investorOf(session, contribution);
  const { purposes, pdfOptions, fundLines } = contribution;
  const call: CallFacts = {
    ...facts,
    dueDate: contribution.dueDate,
    paymentReference: `CALL-${contribution.callNumber}-${investor.code}`,
    wire: await wireOf(session, contribution.fundId),
    pdfOptions,
  };
  const position = callPosition(await ledgerBefore(session, contribution), contribution.cutOffDate, purposes);
  const share = { investor, holdingPercent: contribution.holdingPercentage ?? null, purposes, position };
  const ofFund = purposes.map((purpose, place) => ({ ...purpose, amount: fundLines?.[place]?.amount ?? '0' }));
  return {
    printed: printCapitalCallNotice(capitalCallNotice(call, share, ofFund)),
    name: noticeFileName('CALL', contribution.callNumber, investor.formalName),
  };
}

async function paymentNotice(session: Session, distribution: Distribution, readLogo: LogoReader): Promise<Composed> {
  const facts = await factsOf(session, distribution, readLogo);
  const investor = await investorOf(session, distribution);
  const { principal, components, fundLines, pdfOptions } = distribution;
  const { vat, ...options } = pdfOptions;
  const payment: DistributionFacts = {
    ...facts,
    distributionKind: distribution.distributionKind,
    pdfOptions: { ...options, vat: vat == null ? null : String(vat) },
  };
  const lines = { principal, components };
  const position = distributionPosition(
    await ledgerBefore(session, distribution),
    distribution.cutOffDate,
    lines,
    options.recallableDistribution,
  );
  const share = { investor, holdingPercent: distribution.holdingPercentage ?? null, ...lines, position };
  const [ofFund, ...rest] = fundLines ?? [];
  return {
    printed: printDistributionNotice(
      distributionNotice(payment, share, {
        principal: ofFund?.amount ?? '0',
        components: components.map((component, place) => ({ ...component, amount: rest[place]?.amount ?? '0' })),
      }),
    ),
    name: noticeFileName('DIST', distribution.callNumber, investor.formalName),
  };
}

async function accountStatement(session: Session, account: CapitalAccount, readLogo: LogoReader): Promise<Composed> {
  if (!account.statement) throw new RangeError('An uploaded statement has a file already');
  const manager = await partyOf(session, 'managers', account.managerId);
  const investor = await investorOf(session, account);
  const { partner: _, ...fund } = await fundOf(session, account);
  return {
    printed: printCapitalAccountStatement({
      letterhead: await letterheadOf(manager, readLogo),
      fund,
      investor,
      issueDate: account.metadata.iat.slice(0, 10),
      cutOffDate: account.cutOffDate,
      holdingPercent: null,
      ...account.statement,
    }),
    name: `Capital account ${account.cutOffDate} ${investor.formalName}`,
  };
}

/** What the file of a claimed document says. Runs as the program. */
export async function composeNotice(
  session: Session,
  { table, id }: Pick<DueNotice, 'table' | 'id'>,
  readLogo: LogoReader,
): Promise<DueNotice> {
  const document = await documentOf(session, { table, id });
  if (table === 'contributions')
    return { table, id, ...(await callNotice(session, document as Contribution, readLogo)) };
  if (table === 'distributions') {
    return { table, id, ...(await paymentNotice(session, document as Distribution, readLogo)) };
  }
  return { table, id, ...(await accountStatement(session, document as CapitalAccount, readLogo)) };
}

const BUCKETS: Readonly<Record<NoticeTable, Bucket>> = {
  contributions: 'capitalCalls',
  distributions: 'capitalCalls',
  capital_accounts: 'capitalAccounts',
};

/** Where the bytes of a notice belong. The same bytes have the same key, however often they are made. */
export const noticeObject = ({ table, id }: Pick<DueNotice, 'table' | 'id'>, checksum: string) => ({
  bucket: BUCKETS[table],
  key: `${table.replaceAll('_', '-')}/${id}/${checksum.slice(0, 32)}.pdf`,
});

const documentOf = (session: Session, { table, id }: Pick<DueNotice, 'table' | 'id'>): Promise<Noticed> =>
  table === 'contributions'
    ? session.em.findOneOrFail(Contribution, { id })
    : table === 'distributions'
      ? session.em.findOneOrFail(Distribution, { id })
      : session.em.findOneOrFail(CapitalAccount, { id });

/** Plain SQL: a file is no change of its document, so its version stays, and whoever is editing it is not out of date. */
const writeFile = (
  session: Session,
  { table, id }: Pick<DueNotice, 'table' | 'id'>,
  { fileId, problem }: { fileId: string | null; problem: string | null },
) => session.query(`update ${table} set file_id = $2, file_problem = $3 where id = $1`, [id, fileId, problem]);

/**
 * Registers the stored file of a notice, and queues its email: both in the transaction that claimed it, so that neither
 * happens twice. A file made again from the same data is the same file, and is not mailed again.
 */
export async function recordNotice(
  session: Session,
  notice: Pick<DueNotice, 'table' | 'id' | 'name'>,
  stored: { size: number; checksum: string },
): Promise<void> {
  const document = await documentOf(session, notice);
  const object = noticeObject(notice, stored.checksum);
  const earlier = await session.em.find(StoredFile, {
    bucket: object.bucket,
    key: { $like: `${object.key.slice(0, object.key.lastIndexOf('/'))}/%` },
    status: 'Active',
  });
  let file = earlier.find(({ key }) => key === object.key);
  for (const one of earlier) if (one !== file) await removeFile(session, { bucket: one.bucket, key: one.key });
  file ??= session.em.create(StoredFile, {
    id: newId(session.now),
    ...object,
    name: `${safeFileName(notice.name)}.pdf`,
    size: stored.size,
    type: 'application/pdf',
    checksum: stored.checksum,
    status: 'Active',
    managerId: document.managerId,
    createdAt: session.now,
  });
  await session.em.flush();
  await writeFile(session, notice, { fileId: file.id, problem: null });
  const mail = noticeMail(notice.table, document, (await fundOf(session, document)).title, today(session));
  if (mail && document.investorLPId) {
    await enqueueMail(session, {
      ...mail,
      key: `notice/${document.id}`,
      to: { LP: document.investorLPId, ofManager: document.managerId, can: mail.permission },
    });
  }
}

/** Notes why no file could be made, so that it is not tried again until someone asks for it. */
export async function recordNoticeProblem(
  session: Session,
  notice: Pick<DueNotice, 'table' | 'id'>,
  problem: string,
): Promise<void> {
  const text = problem.slice(0, 500) || 'The file could not be made';
  await writeFile(session, notice, { fileId: null, problem: text });
}
