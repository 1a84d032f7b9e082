import { owedOfReference } from '@tapeline/db/operations/cash/find-by-reference.ts';
import { type FoundDocument, searchDocuments } from '@tapeline/db/operations/search/search.ts';
import { OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { COLLECTIONS, pageOf, titleOfCollection } from '@tapeline/domain/collections/collections.ts';
import { tooSoon } from '@tapeline/domain/errors/refusal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { collectionOfKind, MAX_OF_A_KIND, type SearchKindName } from '@tapeline/domain/search/search-kinds.ts';
import { commandsFor } from '../../components/shell/commands.ts';
import type { SearchGroup } from '../../components/shell/search-groups.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { mayOpenObligations } from '../cash/paid.server.ts';

/** More searches of one user in a minute than a person can type. */
const MAX_A_MINUTE = 240;
const MINUTE_MS = 60_000;
const searches = new Map<string, number>();
let minute = 0;

/** Counts in memory: each server allows this many. @throws Refusal tooMany */
function countSearch(userId: string, now: number): void {
  const current = Math.floor(now / MINUTE_MS);
  if (current !== minute) {
    minute = current;
    searches.clear();
  }
  const made = searches.get(userId) ?? 0;
  if (made >= MAX_A_MINUTE) throw tooSoon(((current + 1) * MINUTE_MS - now) / 1000);
  searches.set(userId, made + 1);
}

/** Where the documents of a report or a statement are listed. */
const documentsOf = ({ fundId, mainFundId }: FoundDocument): string =>
  fundId ? paths.fund(fundId, { view: 'documents' }) : paths.mainFund(mainFundId ?? '');

/** Where documents that have no page of their own are shown. */
const SHOWN_AT: Partial<Record<SearchKindName, (found: FoundDocument, isInvestor: boolean) => string>> = {
  asset: ({ id, title }) => paths.assetOfCompany(id, title),
  // Investors have a list of what was issued to them.
  call: ({ id }, isInvestor) => (isInvestor ? paths.capitalCalls() : paths.capitalCall(id)),
  distribution: ({ id }, isInvestor) => (isInvestor ? paths.distributions() : paths.distribution(id)),
  report: documentsOf,
  statement: documentsOf,
};

function addressOf(found: FoundDocument, isInvestor: boolean): string {
  const { kind, id } = found;
  return SHOWN_AT[kind]?.(found, isInvestor) ?? pageOf(collectionOfKind(kind), id) ?? paths.home();
}

/** What the text finds among the documents and commands that the user may see, in groups. */
export async function searchGroups({ actor, context }: Screen, text: string): Promise<SearchGroup[]> {
  if (text.trim() === '') return [];
  countSearch(actor.userId, Date.now());
  const [found, owed] = await context.store.read(actor, async (session) => [
    await searchDocuments({ ...session, actor }, text),
    mayOpenObligations(actor) ? await owedOfReference(session, text) : [],
  ]);
  const words = text.toLowerCase().trim().split(/\s+/);
  const commands = commandsFor(actor, context.screenPaths).filter(({ label }) =>
    words.every((word) => label.toLowerCase().includes(word)),
  );
  return [
    ...(commands.length > 0
      ? [
          {
            label: 'Commands',
            hasMore: false,
            results: commands.map(({ label, to }) => ({ title: label, detail: null, to })),
          },
        ]
      : []),
    ...(owed.length > 0
      ? [
          {
            label: 'Owed amounts',
            hasMore: owed.length > MAX_OF_A_KIND,
            results: owed.slice(0, MAX_OF_A_KIND).map((one) => ({
              title: [one.reference, one.party?.title].filter(Boolean).join(', '),
              detail: `${OBLIGATION_KIND_LABELS[one.kind]} ${one.number ?? ''}, ${writtenAmount({ sum: one.open, currency: one.currency })} open`,
              to: paths.obligation(one.documentId, { currency: one.currency }),
            })),
          },
        ]
      : []),
    ...found.map(({ kind, documents, hasMore }) => ({
      label: titleOfCollection(COLLECTIONS[collectionOfKind(kind)]),
      hasMore,
      results: documents.map((document) => ({
        title: document.title,
        detail: document.detail,
        to: addressOf(document, actor.lpIds.length > 0),
      })),
    })),
  ];
}
