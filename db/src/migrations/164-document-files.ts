import { Migration } from '@mikro-orm/migrations';

/** Documents that name one file by its id: their collection, table and the column of the id. */
const BY_ID = [
  ['contributions', 'contributions', 'file_id'],
  ['contributions', 'contributions', 'excuse_file_id'],
  ['distributions', 'distributions', 'file_id'],
  ['capitalAccounts', 'capital_accounts', 'file_id'],
  ['reports', 'reports', 'file_id'],
  ['borrowingBases', 'base_adjustments', 'file_id'],
];
/** Documents that name several, by a list of names in SQL: ids or keys. */
const BY_LIST = [
  ['announcements', 'announcements', 'unnest(t.file_ids)'],
  [
    'loanTapes',
    'loan_tapes',
    `jsonb_path_query(jsonb_build_array(t.attachment) || t.other_attachments, '$[*].key') #>> '{}'`,
  ],
  ['draws', 'draws', `jsonb_path_query(t.attachments, '$[*].key') #>> '{}'`],
  ['LPs', 'lps', `jsonb_path_query(t.tax_forms, '$[*].file') #>> '{}'`],
  ['LPCommitments', 'lp_commitments', `jsonb_path_query(t.side_letters, '$[*].document') #>> '{}'`],
];
const usesOf = ([collection = '', table = '', named = '']: readonly string[]) => `
  select named, '${collection}', t.status = 'Removed', coalesce(t.metadata #>> '{changedBy,timestamp}', t.metadata ->> 'iat')::timestamptz
    from ${table} t cross join lateral (select ${named} as named) as one where named is not null`;

/** What has no status of its own: it is never removed. Proposed side letters, transfers, and requests for an account. */
const OTHERS = `
  select jsonb_path_query(proposal, '$.sideLetters[*].document') #>> '{}', 'LPCommitments', false, null from preparations where kind = 'terms'
  union all
  select document_id, 'LPCommitments', false, null from transfers where document_id is not null
  union all
  select letter_id, case when investor_lp_id is null then 'companies' else 'LPs' end, false, null from account_requests
    where letter_id is not null`;

/**
 * The files that documents name, by id or by key, and the collection of each document, as the actor sees the documents.
 * This list decides who may read a file, which files are hidden with their document, and which are deleted because no
 * document needs them. A later migration that adds a document with a file creates it again, with what it adds.
 */
export const documentFiles = (create: string, moreById: readonly (readonly string[])[] = []): string => `
${create} document_files() returns table (named text, resource text, is_removed boolean, changed_at timestamptz)
  stable language sql as $$${[
    ...[...BY_ID, ...moreById].map(([collection = '', table = '', column]) =>
      usesOf([collection, table, `t.${column}::text`]),
    ),
    ...BY_LIST.map(usesOf),
    OTHERS,
  ].join('\n  union all')}
$$;`;

/** A transfer is hidden with either of its commitments, and with what hides them. */
const transfers = `
drop policy blocked on transfers;
drop policy blocked_recipients on transfers;
create policy of_commitments on transfers as restrictive for select using (
  exists (select from lp_commitments c where c.id = transfers.commitment_id)
  and exists (select from lp_commitments c where c.id = transfers.to_commitment_id));`;

const hidden = `
create or replace function hidden_files() returns text[] stable language plpgsql as $$
declare
  blocked text := nullif(current_setting('tapeline.blocked', true), '');
  everything text[];
begin
  if blocked is null then
    return '{}';
  end if;
  perform set_config('tapeline.blocked', '', true);
  everything := array(select distinct named from document_files());
  perform set_config('tapeline.blocked', blocked, true);
  return array(select unnest(everything) except select named from document_files());
end $$;`;

/** One list of the files that documents name; transfers are hidden with their commitments. */
export class DocumentFiles extends Migration {
  override up(): void {
    this.addSql([documentFiles('create function'), hidden, transfers].join('\n'));
  }
}
