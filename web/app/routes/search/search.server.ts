import { type FoundDocument, searchDocuments } from '@tapeline/db/operations/search/search.ts';
import { tooSoon } from '@tapeline/domain/errors/refusal.ts';
import { SEARCH_KINDS } from '@tapeline/domain/search/search-kinds.ts';
import { commandsFor } from '../../components/shell/commands.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../paths.ts';
import type { SearchGroup } from './search-groups.ts';

/** More searches of one user in a minute than a person can type. */
const MOST_A_MINUTE = 240;
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
  if (made >= MOST_A_MINUTE) throw tooSoon(((current + 1) * MINUTE_MS - now) / 1000);
  searches.set(userId, made + 1);
}

/** Where the documents of a report or a statement are listed. */
const documentsOf = ({ fundId, mainFundId }: FoundDocument): string =>
  fundId ? paths.fund(fundId, { view: 'documents' }) : paths.mainFund(mainFundId ?? '');

const ADDRESS: Readonly<Record<FoundDocument['kind'], (found: FoundDocument, isInvestor: boolean) => string>> = {
  fund: ({ id }) => paths.fund(id),
  mainFund: ({ id }) => paths.mainFund(id),
  investor: ({ id }) => paths.investor(id),
  investorGroup: ({ id }) => paths.investorGroup(id),
  company: ({ id }) => paths.company(id),
  facility: ({ id }) => paths.transaction(id),
  contract: ({ id }) => paths.contract(id),
  draw: ({ id }) => paths.draw(id),
  tape: ({ id }) => paths.tape(id),
  asset: ({ id, title }) => paths.assetOfCompany(id, title),
  mapping: ({ id }) => paths.mapping(id),
  // Investors have a list of what was issued to them.
  call: ({ id }, isInvestor) => (isInvestor ? paths.capitalCalls() : paths.capitalCall(id)),
  distribution: ({ id }, isInvestor) => (isInvestor ? paths.distributions() : paths.distribution(id)),
  announcement: ({ id }) => paths.announcement(id),
  report: documentsOf,
  statement: documentsOf,
  person: ({ id }) => paths.user(id),
  serviceProvider: ({ id }) => paths.serviceProvider(id),
  entity: ({ id }) => paths.entity(id),
  manager: ({ id }) => paths.manager(id),
};

/** What the text finds among the documents and commands that the user may see, in groups. */
export async function searchGroups({ actor, context }: Screen, text: string): Promise<SearchGroup[]> {
  if (text.trim() === '') return [];
  countSearch(actor.userId, Date.now());
  const found = await context.store.read(actor, (session) => searchDocuments({ ...session, actor }, text));
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
    ...found.map(({ kind, documents, hasMore }) => ({
      label: SEARCH_KINDS[kind].label,
      hasMore,
      results: documents.map((document) => ({
        title: document.title,
        detail: document.detail,
        to: ADDRESS[kind](document, actor.lpIds.length > 0),
      })),
    })),
  ];
}
