import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { isOutsider, type UserActor } from '@tapeline/domain/people/actor.ts';
import {
  MOST_OF_A_KIND,
  MOST_SEARCH_LETTERS,
  type SearchKindName,
  searchKindsFor,
} from '@tapeline/domain/search/search-kinds.ts';
import type { Statement } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';

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
const MOST_CANDIDATES = 12;
const MOST_CANDIDATES_OF_OUTSIDER = 60;
const TIMEOUT_MS = 2_000;

/** SQL of a document's title and detail, and of where they come from; `t` is the document, `$1` the candidates. */
interface Described {
  readonly from: string;
  readonly title: string;
  readonly detail: string;
  readonly id?: string;
  readonly funds?: string;
}

const simple = (table: string, title: string, detail = 'null'): Described => ({
  from: `${table} t where t.id = any ($1) and t.status <> 'Removed'`,
  title,
  detail,
});
const company = '(select c.name from companies c where c.id = t.company_id)';
const fund =
  'coalesce((select f.title from funds f where f.id = t.fund_id), (select m.title from main_funds m where m.id = t.main_fund_id))';
const day = `to_char(t.cut_off_date, 'FMDD Mon YYYY')`;
const ofFund = 't.fund_id, t.main_fund_id';
const fundTerms = `t.currency || ', ' || replace(t.type, 'ComingleFund', 'Comingle Fund')`;

/** The part that stands for those that share an id: of the visible ones, the first in this order. */
const firstOfEach = (table: string, group: string, order: string): string =>
  `(select distinct on (${group}) t.*, ${group} as shared from ${table} t
    where ${group} = any ($1) and t.status <> 'Removed' order by ${group}, ${order}) t`;
const transaction = '(select x.title from transactions x where x.id = t.transaction_id)';
const noteTitle = `(select note ->> 'title' from transactions x, jsonb_array_elements(x.notes) as note
  where x.id = t.transaction_id and note ->> 'id' = t.note_id)`;
const fundOfPart = '(select f.title from funds f where f.id = t.fund_id)';

const DESCRIBED: Readonly<Record<SearchKindName, Described>> = {
  fund: simple('funds', 't.title', fundTerms),
  mainFund: simple('main_funds', 't.title', fundTerms),
  investor: simple('lps', 't.title', 't.name'),
  investorGroup: simple('lp_groups', 't.title'),
  company: simple('companies', 't.name', "nullif(t.formal_id, '')"),
  facility: simple('transactions', 't.title', company),
  tape: simple('loan_tapes', `t.attachment ->> 'name'`, `concat_ws(', ', ${company}, ${day})`),
  asset: {
    from: `unnest($1::text[], $2::text[]) as found (id, key) join asset_ids t on t.company_id = found.id and t.key = found.key`,
    id: 't.company_id',
    title: 't.asset_id',
    detail: company,
  },
  contract: {
    from: firstOfEach('contracts', 't.note_id', 't.revision desc'),
    title: `concat_ws(', ', ${transaction}, ${noteTitle})`,
    detail: `concat_ws(', ', 'v' || t.revision, t.status, ${company})`,
  },
  draw: {
    ...simple('draws', `concat_ws(', ', 'Draw ' || t.code, ${transaction}, ${noteTitle})`),
    detail: `concat_ws(', ', 'due ' || to_char(t.due_date, 'FMDD Mon YYYY'), t.status, ${company})`,
  },
  mapping: {
    from: firstOfEach('mappings', 't.family_id', 't.mapping_version desc'),
    title: 't.loan_tape_sheet_name',
    detail: `concat_ws(', ', 'v' || t.mapping_version, ${company})`,
  },
  call: {
    from: firstOfEach('contributions', 't.activity_id', 't.id'),
    id: 't.shared',
    title: `'Capital call ' || t.call_number`,
    detail: `concat_ws(', ', ${fundOfPart}, 'due ' || to_char(t.due_date, 'FMDD Mon YYYY'))`,
  },
  distribution: {
    from: firstOfEach('distributions', 't.activity_id', 't.id'),
    id: 't.shared',
    title: `'Distribution ' || t.call_number`,
    detail: `concat_ws(', ', ${fundOfPart}, ${day})`,
  },
  announcement: simple('announcements', 't.title', `to_char((t.metadata ->> 'iat')::timestamptz, 'FMDD Mon YYYY')`),
  report: {
    ...simple('reports', `coalesce((select f.name from files f where f.id = t.file_id), 'Report')`),
    detail: `concat_ws(', ', ${fund}, ${day})`,
    funds: ofFund,
  },
  statement: {
    ...simple(
      'capital_accounts',
      `coalesce((select l.title from lps l where l.id = t.investor_lp_id), 'Capital account')`,
    ),
    detail: `concat_ws(', ', ${fund}, ${day})`,
    funds: ofFund,
  },
  person: simple('users', 't.name', 't.email'),
  serviceProvider: simple('service_providers', 't.title', 't.type'),
  entity: simple('entities', 't.name', 't.formal_id'),
  manager: simple('managers', 't.name'),
};

const statementOf = (kind: SearchKindName): string => {
  const { from, title, detail, id = 't.id', funds = 'null, null' } = DESCRIBED[kind];
  return `select '${kind}' as kind, ${id}::text as id, ${title} as title, ${detail} as detail,
    ${funds.replace(',', '::text as "fundId",')}::text as "mainFundId" from ${from}`;
};

const BOUNDED: Statement = {
  sql: `select set_config('statement_timeout', '${TIMEOUT_MS}', true)`,
  kept: true,
};

interface Candidate {
  readonly kind: SearchKindName;
  readonly id: string;
  readonly key: string | null;
}

/** What a document is called before its number: "draw 9", "LP-1". SQL of the candidates; `$1` is the number. */
const NUMBERED: readonly (readonly [words: RegExp, kind: SearchKindName, sql: string])[] = (
  [
    [/^draws?$/, 'draw', 'draws', 't.code'],
    [/^(capital )?calls?$/, 'call', 'contributions', 't.call_number'],
    [/^distributions?$/, 'distribution', 'distributions', 't.call_number'],
    [/^(lp|investor)$/, 'investor', 'lps', 't.code'],
    [/^fund$/, 'fund', 'funds', 't.code'],
    [/^(company|borrower)$/, 'company', 'companies', 't.code'],
    [/^(transaction|facility|deal)$/, 'facility', 'transactions', 't.code'],
    [/^(loan )?tape$/, 'tape', 'loan_tapes', 't.code'],
  ] as const
).map(([words, kind, table, number]) => {
  const [id, value] = number === 't.code' ? ['t.id', '$1::int'] : ['t.activity_id', '$1'];
  const sql = `select distinct '${kind}' as kind, ${id} as id, null as key from ${table} t
    where ${number} = ${value} and t.status <> 'Removed' limit ${MOST_CANDIDATES}`;
  return [words, kind, sql];
});

/** A name with a number in it is often one of hundreds that begin alike. */
const NAMED: readonly (readonly [kind: SearchKindName, sql: string])[] = (
  [
    ['fund', 'funds', 't.title'],
    ['mainFund', 'main_funds', 't.title'],
    ['investor', 'lps', 't.title'],
    ['company', 'companies', 't.name'],
    ['facility', 'transactions', 't.title'],
  ] as const
).map(([kind, table, name]) => [
  kind,
  `select '${kind}' as kind, t.id, null as key from ${table} t
    where lower(${name}) = $1 and t.status <> 'Removed' limit ${MOST_CANDIDATES}`,
]);

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
  const numbered = NUMBERED.filter(([called, kind]) => kinds.includes(kind) && number && called.test(words));
  const named = NAMED.filter(([kind]) => kinds.includes(kind) && full.has(kind));
  return [
    ...numbered.map(([, , sql]) => ({ sql, values: [number], kept: true })),
    ...named.map(([, sql]) => ({ sql, values: [text.toLowerCase()], kept: true })),
  ];
}

const { compare } = new Intl.Collator('en', { numeric: true });
/** "Capital call 2" comes before "Capital call 10". */
const byTitle = (one: FoundDocument, other: FoundDocument): number =>
  compare(one.title, other.title) || compare(one.id, other.id);

/**
 * What the actor can see and whose words start with the words of the text, by kind. Assets are found by the start of
 * their id. Accents and upper case make no difference; all other characters separate words. What has the text as its
 * number or its whole name is first.
 * @throws Refusal badRequest for a text that is too long
 */
export async function searchDocuments(
  session: ReadSession & { readonly actor: UserActor },
  text: string,
): Promise<FoundOfKind[]> {
  // PostgreSQL has no text with U+0000.
  const query = text.replaceAll('\u0000', ' ').trim();
  if (query.length > MOST_SEARCH_LETTERS) {
    throw new Refusal('badRequest', `Search for at most ${MOST_SEARCH_LETTERS} characters`);
  }
  const kinds = searchKindsFor(session.actor);
  if (query === '' || kinds.length === 0) return [];
  const isOutside = isOutsider(session.actor.type);
  const most = isOutside ? MOST_CANDIDATES_OF_OUTSIDER : MOST_CANDIDATES;
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
  const groups = wanted.flatMap(({ kind }, place) => {
    const documents = (found[place] ?? []).toSorted(byFit);
    if (documents.length === 0) return [];
    return [{ kind, documents: documents.slice(0, MOST_OF_A_KIND), hasMore: documents.length > MOST_OF_A_KIND }];
  });
  // The order of the kinds stays, within those with such a document and within the others.
  const [first, others] = [groups.filter(hasExact), groups.filter((group) => !hasExact(group))];
  return [...first, ...others];

  function hasExact({ documents: [best] }: FoundOfKind): boolean {
    return best !== undefined && isExact(best);
  }
}
