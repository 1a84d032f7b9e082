import type { BorrowingBase } from '@tapeline/db/entities/lending.ts';
import { shownAdjustment } from '@tapeline/db/operations/borrowing-bases/adjustments.ts';
import { ofCertificate } from '@tapeline/db/operations/borrowing-bases/approved-adjustments.ts';
import { listBorrowingBaseFigures } from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import {
  type BorrowingBaseVersion,
  borrowingBaseVersions,
  getBorrowingBase,
} from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { getCompany } from '@tapeline/db/operations/companies/companies.ts';
import { getManager } from '@tapeline/db/operations/managers/managers.ts';
import { visiblePublishedTapes } from '@tapeline/db/operations/tapes/published-tapes.ts';
import { getTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { contractDocument, getContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { getTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { compareBases } from '@tapeline/domain/borrowing-base/compare-bases.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { type TransactionContract, transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { assetCatalog } from '@tapeline/domain/tapes/target-schema.ts';
import { documentHistory } from '../../../commands/history.server.ts';
import { viewOf } from '../../../components/page/view-of.ts';

/** What a certificate was calculated from may have been removed since, or be hidden from the reader. */
function nullIfRemoved(error: unknown): null {
  if (isRefusal(error) && error.code === 'notFound') return null;
  throw error;
}

/** The label of the field that assets are grouped by. A custom field is shown by its own name. */
export function labelOfField(path: string): string {
  const resolved = assetCatalog().resolve(path);
  return 'field' in resolved ? resolved.field.label : path.replace(/^customFields\./, '');
}

/** The unit of each value that is an average of a field, as the contract names it. */
function unitsOfValues(terms: TransactionContract | null): Record<string, string> {
  return Object.fromEntries(
    (terms?.values ?? []).flatMap(({ title, field, accumulator }) => {
      if (!field || accumulator === '$sum') return [];
      const resolved = assetCatalog().resolve(field);
      return 'field' in resolved && resolved.field.unit ? [[title, resolved.field.unit]] : [];
    }),
  );
}

/** The labels of the fields that rules group and measure by. */
const ruleLabelsOf = (result: BorrowingBaseResult): Record<string, string> =>
  Object.fromEntries(
    [
      ...result.excessBreachDistribution,
      ...(result.wholeGroups ?? []).map(({ groupBy, parent = null }) => ({ groupBy, accumulatorField: parent })),
      ...(result.totals.offsets ?? []).flatMap(({ groupBy, parent, field }) => [
        { groupBy, accumulatorField: parent },
        { groupBy, accumulatorField: field },
      ]),
    ]
      .flatMap(({ groupBy, accumulatorField }) => [groupBy, accumulatorField ?? null])
      .flatMap((path) => (path === null ? [] : [[path, labelOfField(path)]])),
  );

/** Cut-off dates in the trend of a note. */
const TREND_POINTS = 36;

/** The latest borrowing base of each cut-off date up to this one, earliest first. */
async function trendOf(session: Session, { noteId, cutOffDate }: { noteId: string; cutOffDate: string }) {
  const figures = await listBorrowingBaseFigures(session, {
    noteIds: [noteId],
    until: cutOffDate,
    perNote: TREND_POINTS,
  });
  return [...new Map(figures.map((figure) => [figure.cutOffDate, figure])).values()];
}

/** The result that this one is compared with: another of the same tape and contract, by default the one before it. */
async function comparedVersion(
  session: Session,
  base: BorrowingBase,
  versions: readonly BorrowingBaseVersion[],
  against: string | null,
) {
  const index = versions.findIndex(({ id }) => id === base.id);
  const version = versions.find(({ id }) => id === against && id !== base.id) ?? versions[index + 1];
  if (!version) return null;
  const other = await getBorrowingBase(session, version.id);
  return {
    id: version.id,
    calculatedAt: version.calculatedAt,
    hasSameInputs: Boolean(other.result.inputsHash) && other.result.inputsHash === base.result.inputsHash,
    figures: compareBases(other.result, base.result),
  };
}

/** The certificate: the stored result with the names of its sources, and the course of the note up to it. */
export const readBorrowingBase = async (session: Session, id: string) =>
  viewBorrowingBase(session, await getBorrowingBase(session, id));

async function viewBorrowingBase(session: Session, base: BorrowingBase) {
  const result = base.result;
  const transaction = await getTransaction(session, base.transactionId).catch(nullIfRemoved);
  const contract = await getContract(session, base.contractId).catch(nullIfRemoved);
  const tape = await getTape(session, base.tapeId).catch(nullIfRemoved);
  const [assets] = tape ? await visiblePublishedTapes(session, { tapeIds: [tape.id], borrowingBase: base.id }) : [];
  const trend = await trendOf(session, base);
  const before = trend.filter(({ cutOffDate }) => cutOffDate < base.cutOffDate).at(-1);
  const terms: TransactionContract | null = contract
    ? transactionContractSchema.parse(contractDocument(contract))
    : null;
  return {
    ...pick(base, 'id', 'cutOffDate', 'generationId', 'managerId', 'companyId', 'noteId'),
    calculatedAt: base.metadata.iat,
    version: {
      superseded: base.status === 'Disabled' ? (base.metadata.changedBy ?? null) : null,
      /** The latest result of the tape and contract, if it is another one. */
      latest:
        base.status === 'Disabled' ? ((await borrowingBaseVersions(session, base)).versions[0]?.id ?? null) : null,
    },
    result,
    transaction: transaction && pick(transaction, 'id', 'title'),
    noteTitle: transaction?.notes.find((note) => note.id === base.noteId)?.title ?? 'Note',
    contract: contract
      ? {
          ...pick(contract, 'id', 'revision', 'status'),
          since: contract.cutOffDate,
          defaultRatePercent: terms?.advanceRate.defaultRate ?? null,
          caseCount: terms?.advanceRate.cases.length ?? 0,
        }
      : null,
    tape: tape
      ? {
          id: tape.id,
          name: tape.attachment.name,
          publishedAt: tape.publishedAt ?? null,
          isRepublished: tape.generationId !== base.generationId,
          /** Whether the assets that it was calculated from can be opened with these results. */
          hasAssets: assets?.borrowingBase?.id === base.id,
        }
      : null,
    /** The borrowing base of the cut-off date before. */
    before: before ? pick(before, 'id', 'cutOffDate', 'netBB', 'currency') : null,
    trend,
    ruleLabels: ruleLabelsOf(result),
    valueUnits: unitsOfValues(terms),
  };
}

/** How each figure changed from the cut-off date before. Null for the first one of a note. */
async function changesSince(session: Session, { before, result }: BorrowingBasePage) {
  if (!before) return null;
  const earlier = await getBorrowingBase(session, before.id).catch(nullIfRemoved);
  return earlier && { ...before, figures: compareBases(earlier.result, result) };
}

type Load = (session: Session, opened: { base: BorrowingBasePage; stored: BorrowingBase; url: URL }) => Promise<object>;

const LOADERS = {
  certificate: async (session, { stored }) => ({
    adjustments: (await ofCertificate(session, stored)).map((one) => ({
      ...shownAdjustment(one),
      isOwn: session.actor.kind === 'user' && one.enteredBy.id === session.actor.userId,
    })),
  }),
  trend: async (session, { base }) => ({ since: await changesSince(session, base) }),
  audit: async (session, { base, stored, url }) => {
    const { versions, total } = await borrowingBaseVersions(session, stored);
    return {
      /** Results of this tape and contract, latest first, and how many there are. */
      versions,
      total,
      compared: await comparedVersion(session, stored, versions, url.searchParams.get('against')),
      history: await documentHistory(session, [{ resource: 'borrowingBases', ids: [base.id] }], url.searchParams),
    };
  },
} satisfies Record<string, Load>;

export type CertificateView = keyof typeof LOADERS;

type Loaded = {
  [View in CertificateView]: { view: View } & Awaited<ReturnType<(typeof LOADERS)[View]>>;
}[CertificateView];

export const CERTIFICATE_VIEWS = Object.keys(LOADERS) as CertificateView[];

/** The page of a borrowing base with the tab that the address asks for. */
export async function readCertificatePage(session: Session, id: string, url: URL) {
  const view = viewOf(url, CERTIFICATE_VIEWS);
  const stored = await getBorrowingBase(session, id);
  const base = await viewBorrowingBase(session, stored);
  return { base, tab: { view, ...(await LOADERS[view](session, { base, stored, url })) } as Loaded };
}

export type CertificateTab = Extract<Loaded, { view: 'certificate' }>;
export type AuditTab = Extract<Loaded, { view: 'audit' }>;
export type TrendTab = Extract<Loaded, { view: 'trend' }>;

export type BorrowingBasePage = Awaited<ReturnType<typeof readBorrowingBase>>;

/** The names of the borrower and the lender. Every reader of a certificate sees both, so they are read as the system. */
export async function partiesOf(session: Session, { companyId, managerId }: BorrowingBasePage) {
  const [company, manager] = [await getCompany(session, companyId), await getManager(session, managerId)];
  return { borrower: company.entity.name, lender: manager.entity.name };
}
