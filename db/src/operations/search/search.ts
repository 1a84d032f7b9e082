import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isOutsider, type UserActor } from '@tapeline/domain/people/actor.ts';
import {
  collectionOfKind,
  MAX_OF_A_KIND,
  MAX_SEARCH_LETTERS,
  type SearchKindName,
  searchKindsFor,
} from '@tapeline/domain/search/search-kinds.ts';
import { STORED, tableOf } from '../../collections/collections.ts';
import type { SearchDescription, StoredCollection } from '../../collections/stored-collection.ts';
import type { Statement } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import { paymentsOfReference } from '../cash/find-by-reference.ts';

export interface FoundDocument {
  readonly kind: SearchKindName;
  /** The id of the document; of the company for an asset. */
  readonly id: string;
  readonly title: string;
  /** What tells it from others of the same title. */
  readonly detail: string | null;
  /** The fund or the main fund that a report or a statement belongs to. */
  readonly fundId: string | null;
  readonly mainFundId: string | null;
}

export interface FoundOfKind {
  readonly kind: SearchKindName;
  readonly documents: readonly FoundDocument[];
  /** Whether more match than are returned. */
  readonly hasMore: boolean;
}

/**
 * Candidates of a kind. A document is found once by each of its words, and users of a borrower or an investor cannot see
 * all that belongs to their organization.
 */
const MAX_CANDIDATES = 12;
const MAX_CANDIDATES_OF_OUTSIDER = 60;
const TIMEOUT_MS = 2_000;

const storedOfKind = (kind: SearchKindName): StoredCollection & { found: SearchDescription } =>
  STORED[collectionOfKind(kind)] as StoredCollection & { found: SearchDescription };

function statementOf(kind: SearchKindName): string {
  const stored = storedOfKind(kind);
  const {
    from = `${tableOf(stored)} t where t.id = any ($1) and t.status <> 'Removed'`,
    id = 't.id',
    title = stored.title,
    detail = 'null',
    funds = 'null, null',
  } = stored.found;
  return `select '${kind}' as kind, ${id}::text as id, ${title} as title, ${detail} as detail,
    ${funds.replace(',', '::text as "fundId",')}::text as "mainFundId" from ${from}`;
}

const BOUNDED: Statement = {
  sql: `select set_config('statement_timeout', '${TIMEOUT_MS}', true)`,
  kept: true,
};

interface Candidate {
  readonly kind: SearchKindName;
  readonly id: string;
  readonly key: string | null;
}

/** The documents of a kind whose number or whole name is `$1`, as candidates. */
function exactStatement(kind: SearchKindName, id: string, is: string): string {
  return `select distinct '${kind}' as kind, ${id} as id, null as key from ${tableOf(storedOfKind(kind))} t
    where ${is} and t.status <> 'Removed' limit ${MAX_CANDIDATES}`;
}
const OF_CODE = { id: 't.id', is: 't.code = $1::int' };

const lineOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/**
 * The statements for documents whose number or whole name the text is. Only a text with a digit has any.
 * @param full the kinds of which more match than were taken: only there can a whole name have been left out. It is looked
 *   for in every row that the actor sees
 */
function exactStatements(text: string, kinds: readonly SearchKindName[], full: ReadonlySet<string>): Statement[] {
  const [, words = '', number] = /^(.*?)(?: no| number)? (\d{1,9})$/.exec(lineOf(text)) ?? [];
  if (!/\d/.test(text)) return [];
  return kinds.flatMap((kind) => {
    const { numbered, ofNumber = OF_CODE, named } = storedOfKind(kind).found;
    return [
      ...(number && numbered?.test(words)
        ? [{ sql: exactStatement(kind, ofNumber.id, ofNumber.is), values: [number], kept: true }]
        : []),
      ...(named && full.has(kind)
        ? [{ sql: exactStatement(kind, 't.id', `lower(${named}) = $1`), values: [text.toLowerCase()], kept: true }]
        : []),
    ];
  });
}

const { compare } = new Intl.Collator('en', { numeric: true });
/** "Capital call 2" comes before "Capital call 10". */
const byTitle = (one: FoundDocument, other: FoundDocument): number =>
  compare(one.title, other.title) || compare(one.id, other.id);

/**
 * What the actor can see and whose words start with the words of the text, by kind. Assets are found by the start of
 * their id, payments by a payment reference. Accents and upper case make no difference; all other characters separate words. What has the text as its
 * number or its whole name is first.
 * @throws Refusal badRequest for a text that is too long
 */
export async function searchDocuments(
  session: ReadSession & { readonly actor: UserActor },
  text: string,
): Promise<FoundOfKind[]> {
  // PostgreSQL has no text with U+0000.
  const query = text.replaceAll('\u0000', ' ').trim();
  if (query.length > MAX_SEARCH_LETTERS) {
    throw new Refusal('badRequest', `Search for at most ${MAX_SEARCH_LETTERS} characters`);
  }
  const kinds = searchKindsFor(session.actor);
  if (query === '' || kinds.length === 0) return [];
  const isOutside = isOutsider(session.actor.type);
  const most = isOutside ? MAX_CANDIDATES_OF_OUTSIDER : MAX_CANDIDATES;
  const [, owned = [], toAll = []] = await session.queries<Candidate[][]>([
    BOUNDED,
    { sql: 'select * from search_documents($1, $2::text[], $3)', values: [query, kinds, most], kept: true },
    ...(isOutside && kinds.includes('announcement')
      ? [{ sql: 'select * from search_announcements_to_all($1, $2)', values: [query, most], kept: true }]
      : []),
  ]);
  const taken = new Map<string, number>();
  for (const { kind } of owned) taken.set(kind, (taken.get(kind) ?? 0) + 1);
  const full = new Set([...taken].flatMap(([kind, count]) => (count >= most ? [kind] : [])));
  const statements = exactStatements(query, kinds, full);
  const exact =
    statements.length === 0 ? [] : (await session.queries<Candidate[][]>([BOUNDED, ...statements])).slice(1).flat();
  if (kinds.includes('payment')) {
    const stated = await paymentsOfReference(session, query);
    exact.push(...stated.map((id): Candidate => ({ kind: 'payment', id, key: null })));
  }
  const candidates = [...exact, ...owned, ...toAll];
  const wanted = kinds.flatMap((kind) => {
    const ofKind = candidates.filter((candidate) => candidate.kind === kind);
    return ofKind.length === 0
      ? []
      : [
          {
            kind,
            // What is found as one has the id that its parts share at the end.
            ids: ofKind.map(({ id }) => id.slice(id.lastIndexOf('/') + 1)),
            keys: ofKind.map(({ key }) => key),
          },
        ];
  });
  if (wanted.length === 0) return [];
  const [, ...found] = await session.queries<FoundDocument[][]>([
    BOUNDED,
    ...wanted.map(({ kind, ids, keys }) => ({
      sql: statementOf(kind),
      values: kind === 'asset' ? [ids, keys] : [ids],
      kept: true,
    })),
  ]);
  const line = lineOf(query);
  const exactIds = new Set(exact.map(({ id }) => id));
  const isExact = ({ id, title }: FoundDocument): boolean => exactIds.has(id) || lineOf(title) === line;
  const byFit = (one: FoundDocument, other: FoundDocument): number =>
    Number(isExact(other)) - Number(isExact(one)) || byTitle(one, other);
  const groups = wanted.flatMap(({ kind }, index) => {
    const documents = (found[index] ?? []).toSorted(byFit);
    if (documents.length === 0) return [];
    return [{ kind, documents: documents.slice(0, MAX_OF_A_KIND), hasMore: documents.length > MAX_OF_A_KIND }];
  });
  // The order of the kinds stays, within those with such a document and within the others.
  const [first, others] = [groups.filter(hasExact), groups.filter((group) => !hasExact(group))];
  return [...first, ...others];

  function hasExact({ documents: [best] }: FoundOfKind): boolean {
    return best !== undefined && isExact(best);
  }
}
