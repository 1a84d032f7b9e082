import { shownStatus } from '@tapeline/domain/capital/capital-document.ts';
import type { FileMetadata } from '@tapeline/domain/documents/document.schema.ts';
import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { TITLE_OF } from '../../collections/stored-collection.ts';
import type { Row } from '../../read-batch.ts';
import type { ReadSession } from '../../read-session.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { requirePermission } from '../permission.ts';
import type { LineTable } from './headers.ts';

/** SQL of the status that is shown, as `shownStatus` derives it. */
export const shownStatusSql = (from: string): string =>
  `case when t.status = 'Active' and ${from} > current_date then 'Upcoming' else t.status end`;

/** SQL of the list fields of every document of a commitment. @param together SQL of what those that were entered together share */
export const commitmentSql = (status: string, together = "t.metadata ->> 'bundleId'") => ({
  status,
  'metadata.bundleId': together,
  'fund.title': TITLE_OF.fund,
  'investor.id': 'coalesce(t.investor_lp_id, t.investor_fund_id)',
  'investor.kind': 't.investor_kind',
  'investor.title': TITLE_OF.investor,
});

/** Statement for a page of documents with a file; `filesById` takes its rows. */
export const FILES_OF_PAGE = `
  select id, bucket, key, name, size, type, checksum from files where id = any (array(select file_id from page)) and status = 'Active'`;

export const filesById = (rows: readonly Row[] = []): ReadonlyMap<string, FileMetadata> =>
  new Map(
    rows.map(({ id, bucket, key, name, size, type, checksum }) => [
      String(id),
      {
        bucket: String(bucket),
        key: String(key),
        name: String(name),
        size: Number(size),
        type: String(type),
        checksum: checksum === null ? null : String(checksum),
      },
    ]),
  );

/** The status of a document as people see it. */
export const statusOf = (session: Pick<ReadSession, 'now'>, { status }: { status: string }, from: string): string =>
  shownStatus(status, from, todayOf(session));

/** An investor reads where its amounts come from if its notice says so: it tells what others have committed. */
export const showsBasis = (
  { actor }: Pick<ReadSession, 'actor'>,
  { pdfOptions }: { pdfOptions: { basis?: boolean | undefined } },
): boolean => !(actor.kind === 'user' && actor.lpIds.length > 0) || pdfOptions.basis === true;

/** The account that a fund's notices ask investors to pay to: its name, and its bank. Each is null if it is missing. */
export async function payInAccount(
  session: Session,
  fundId: string,
): Promise<{ account: string | null; bank: string | null } | null> {
  const [fund] = await session.query<{ account: string | null; bank: string | null }>(
    `select e.banks -> 0 ->> 'title' as account, nullif(e.banks -> 0 ->> 'bankName', '') as bank
     from funds f left join entities e on e.id = f.entity_id where f.id = $1`,
    [fundId],
  );
  return fund ?? null;
}

/** A call needs an account of the fund to be paid into. Warnings of a dry run never block. */
export async function wireWarnings(session: Session, fundId: string): Promise<string[]> {
  const fund = await payInAccount(session, fundId);
  if (!fund?.account)
    return ['The fund has no bank account. Add one to its entity, so that the notice states where to pay'];
  return fund.bank === null
    ? [`The account ${fund.account} does not name its bank. Add it to the fund’s entity, so that the notice states it`]
    : [];
}

/** Names in one warning. */
const MAX_NAMES = 10;

/** What a distribution needs of each investor to be paid, with what to do where it is missing. */
const PAYEE_PROBLEMS = {
  none: ['No bank account', 'Add one to each investor’s entity, so that it can be paid'],
  unchosen: ['No pay-out account', 'Choose one in this currency on each investor’s record'],
  waiting: ['The pay-out account waits for a second person', 'Confirm it in Approvals before anything is paid to it'],
} as const;

/** A distribution needs a confirmed account of each investor to be paid into. Those without one are named. */
export async function payeeWarnings(
  session: Session,
  documents: readonly {
    investorLPId?: string | null | undefined;
    investorFundId?: string | null | undefined;
    currency: string;
  }[],
): Promise<string[]> {
  const found = await session.query<{ title: string; problem: keyof typeof PAYEE_PROBLEMS }>(
    `select title, problem from (
       select p.title, p.id, case when coalesce(jsonb_array_length(e.banks), 0) = 0 then 'none'
           when p.payouts is null then null
           when not exists (select from jsonb_array_elements(p.payouts) as one where one ->> 'currency' = $2) then 'unchosen'
           when exists (select from jsonb_array_elements(p.payouts) as one
             where one ->> 'currency' = $2 and one -> 'confirmedBy' = 'null') then 'waiting' end as problem
       from (select id, title, entity_id, payout_accounts as payouts from lps
         union all select id, title, entity_id, null from funds) as p
         left join entities e on e.id = p.entity_id
       where p.id = any ($1)) as payees where problem is not null order by title, id`,
    [
      documents.map(({ investorLPId, investorFundId }) => investorLPId ?? investorFundId),
      documents[0]?.currency ?? null,
    ],
  );
  return Object.entries(PAYEE_PROBLEMS).flatMap(([problem, [what, todo]]) => {
    const names = found.filter((payee) => payee.problem === problem).map(({ title }) => title);
    return names.length === 0 ? [] : [`${what}: ${firstFew(names, { most: MAX_NAMES, separator: '; ' })}. ${todo}`];
  });
}

/**
 * Has the notices of issued documents made again. From the same data they are the same files, byte for byte.
 * @throws Refusal forbidden; notFound, with a flag at each unknown id; badRequest for a draft
 */
export async function regenerateNotices(
  session: Session,
  collection: LineTable,
  ids: readonly string[],
): Promise<void> {
  requirePermission(session, `${collection}/write`);
  const found = await session.query<{ id: string; status: string }>(
    `select id, status from ${collection} where id = any ($1) and status <> 'Removed'`,
    [[...ids]],
  );
  const byId = new Map(found.map((document) => [document.id, document]));
  const unknown = ids.flatMap((id, index) =>
    byId.has(id) ? [] : [[`ids.${index}`, 'is not a document that you can see'] as const],
  );
  if (unknown.length > 0) throw new Refusal('notFound', undefined, { flags: Object.fromEntries(unknown) });
  const drafts = ids.flatMap((id, index) =>
    byId.get(id)?.status === 'Draft' ? [[`ids.${index}`, 'is a draft'] as const] : [],
  );
  if (drafts.length > 0) refuse('A draft has no notice. Issue it first', Object.fromEntries(drafts));
  // Plain SQL: a file is no change of its document, so its version stays.
  await session.query(`update ${collection} set file_id = null, file_problem = null where id = any ($1)`, [[...ids]]);
  session.announce('noticesDue');
}
