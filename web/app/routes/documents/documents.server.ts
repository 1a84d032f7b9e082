import { ownReads, withReads } from '@tapeline/db/operations/activities/activities.ts';
import {
  FACILITY_DOCUMENT_KINDS,
  type FacilityDocument,
  listFacilityDocuments,
} from '@tapeline/db/operations/documents/facility-documents.ts';
import {
  type DocumentScope,
  FUND_DOCUMENT_KINDS,
  type FundDocument,
  listFundDocuments,
} from '@tapeline/db/operations/documents/fund-documents.ts';
import { getFund } from '@tapeline/db/operations/funds/funds.ts';
import { getMainFund } from '@tapeline/db/operations/funds/main-funds.ts';
import { getLP } from '@tapeline/db/operations/investors/investors.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isId } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { can, type PermissionKey, type UserActor } from '@tapeline/domain/people/actor.ts';
import { paths } from '../../paths.ts';
import type { DocumentKind, ListedDocument } from './document-table.tsx';

/** What a list of documents is of, by the parameter of the address that names it. */
export const OWNERS = ['fund', 'mainFund', 'investor', 'transaction'] as const;
export type Owner = { readonly [Name in (typeof OWNERS)[number]]?: string };

const PERMISSIONS: Readonly<Record<(typeof OWNERS)[number], PermissionKey>> = {
  fund: 'funds/read',
  mainFund: 'funds/read',
  investor: 'LPs/read',
  transaction: 'transactions/read',
};

export const isInvestor = ({ type }: Pick<UserActor, 'type'>): boolean => type === 'LP' || type === 'LPGroup';

/** The owner that an address names; none for the documents of all funds and investors. @throws Refusal notFound */
export function ownerOf({ searchParams }: URL, actor: UserActor): Owner {
  const name = OWNERS.find((one) => searchParams.has(one));
  if (!name && can(actor, 'funds/read')) return {};
  const id = name && searchParams.get(name);
  if (!name || !id || !isId(id)) throw new Refusal('notFound');
  return { [name]: id };
}

interface Page {
  readonly skip: number;
  readonly limit: number;
  readonly kind?: DocumentKind | null;
}

export interface FoundDocuments {
  /** The owner; null for the documents of all. */
  readonly title: string | null;
  /** The page of the owner. */
  readonly backTo: string;
  /** Those of which there is a document. */
  readonly kinds: readonly DocumentKind[];
  readonly documents: ListedDocument[];
  readonly total: number;
  /** How many of them the investor who is signed in has not read; null for everybody else. */
  readonly unread: number | null;
}

/** A page of the documents of a fund, main fund, investor or facility that the actor can see. @throws Refusal */
export async function findDocuments(session: Session, owner: Owner, page: Page): Promise<FoundDocuments> {
  for (const name of OWNERS) {
    if (owner[name] && !can(session.actor, PERMISSIONS[name])) throw new Refusal('notFound');
  }
  if (owner.transaction) return facilityDocuments(session, owner.transaction, page);
  const { title, backTo, scope } = await fundScopeOf(session, owner);
  const kind = FUND_DOCUMENT_KINDS.find((one) => one === page.kind) ?? null;
  const { actor } = session;
  const marksRead = actor.kind === 'user' && isInvestor(actor);
  const { documents, total, unread, kinds } = await listFundDocuments(session, scope, {
    ...page,
    kind,
    unreadFirst: marksRead,
  });
  const ids = documents.map(({ id }) => id);
  const own = marksRead ? await ownReads(session, ids) : null;
  const listed = (await withReads(session, documents)).map(({ reads, ...document }) => ({
    ...listedOf(document),
    reads,
    ...(own ? { readAt: own.get(document.id) ?? null } : {}),
  }));
  return { title, backTo, kinds, documents: listed, total, unread: marksRead ? unread : null };
}

const listedOf = ({ id, kind, fund, investor, cutOffDate, status, file, problem, event }: FundDocument) => ({
  key: id,
  kind,
  about: investor ?? fund,
  fund,
  cutOffDate,
  status,
  file,
  page: null,
  problem,
  event,
});

async function fundScopeOf(
  session: Session,
  owner: Owner,
): Promise<{ title: string | null; backTo: string; scope: DocumentScope }> {
  const { actor } = session;
  if (OWNERS.every((name) => !owner[name]) && actor.kind === 'user') {
    const scope = isInvestor(actor) ? { investorIds: actor.lpIds } : { isEverything: true };
    return { title: null, backTo: paths.home(), scope };
  }
  if (owner.investor) {
    const { id, title } = await getLP(session, owner.investor);
    return { title, backTo: paths.investor(id, { view: 'documents' }), scope: { investorIds: [id] } };
  }
  if (owner.fund) {
    const { id, title, mainFundId } = await getFund(session, owner.fund);
    return {
      title,
      backTo: paths.fund(id, { view: 'documents' }),
      scope: { fundId: id, mainFundId: mainFundId ?? null },
    };
  }
  const { id, title } = await getMainFund(session, owner.mainFund ?? '');
  return { title, backTo: paths.mainFund(id, { view: 'documents' }), scope: { mainFundId: id } };
}

/** What a certificate or a contract is called, where it is shown, and its file, which is made when it is downloaded. */
function shownOnPage({ kind, documentId, note, revision }: FacilityDocument): ListedDocument['page'] {
  const of = note === null ? '' : `, ${note}`;
  switch (kind) {
    case 'base':
      return {
        name: `Certificate${of}`,
        to: paths.borrowingBase(documentId),
        download: paths.borrowingBaseFile(documentId, 'pdf'),
      };
    case 'contract':
      return { name: `Contract v${revision}${of}`, to: paths.contract(documentId), download: null };
    default:
      return null;
  }
}

/** A page of the documents of a facility, or of all facilities for null. @throws Refusal notFound */
export async function facilityDocuments(
  session: Session,
  transactionId: string | null,
  page: Page,
): Promise<FoundDocuments> {
  const facility = transactionId === null ? null : await getTransaction(session, transactionId);
  const kind = FACILITY_DOCUMENT_KINDS.find((one) => one === page.kind) ?? null;
  const { documents, total, kinds } = await listFacilityDocuments(session, { transactionId }, { ...page, kind });
  return {
    title: facility?.title ?? null,
    backTo: facility ? paths.transaction(facility.id, { view: 'documents' }) : paths.home(),
    kinds,
    total,
    unread: null,
    documents: documents.map((document) => ({
      key: `${document.documentId}/${document.file?.id ?? ''}`,
      kind: document.kind,
      about: document.title,
      fund: null,
      cutOffDate: document.cutOffDate,
      status: document.status,
      file: document.file,
      page: shownOnPage(document),
      problem: null,
      event: null,
      reads: null,
    })),
  };
}
