import type { RetentionLimits } from '../../environment.ts';
import type { Session } from '../../store.ts';

const DAY_MS = 86_400_000;
/** Days after its last message. A chat is a question of its day: what it found has changed by then. */
const CHAT_DAYS = 365;

/** One kind of data that is removed once it is old. */
interface Rule {
  /** What is older than this is removed; null to keep everything. */
  readonly before: (limits: RetentionLimits, now: Date) => Date | null;
  /** Removes at most $2 that are older than $1, and returns how many. Rows that others have locked wait for the next run. */
  readonly sql: string;
}

const daysAgo = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

function yearsAgo(now: Date, years: number): Date {
  const then = new Date(now);
  then.setUTCFullYear(then.getUTCFullYear() - years);
  return then;
}

const deleteFrom = (table: string, condition: string): string =>
  `with gone as (
     delete from ${table} where ctid = any (array(select ctid from ${table} where ${condition} limit $2 for update skip locked))
     returning 1
   ) select count(*)::int as removed from gone`;

/** Secrets and counters of sign-in have no use after their own end. The day is for whoever looks into a problem. */
const aDayAfter = (table: string, column: string): Rule => ({
  before: (_limits, now) => daysAgo(now, 1),
  sql: deleteFrom(table, `${column} < $1`),
});

const CHANGED_AT = (table: string) =>
  `coalesce(${table}.metadata #>> '{changedBy,timestamp}', ${table}.metadata ->> 'iat')::timestamptz`;

const byKey = (table: string, files: string): string =>
  `select f.id as file_id, t.status = 'Removed' as is_removed, ${CHANGED_AT('t')} as changed_at
   from ${table} t cross join jsonb_array_elements(${files}) as attached
     join files f on f.bucket = attached ->> 'bucket' and f.key = attached ->> 'key'`;

/** Every place that refers to a file, except the images of entities, which the sweep removes itself. */
const REFERENCES = [
  ...['id', 'key'].map(
    (name) =>
      `select f.id as file_id, used.is_removed, used.changed_at from document_files() as used join files f on f.${name} = used.named`,
  ),
  byKey('imports', 't.attachments || t.files'),
  `select content #>> '{sheet,fileId}', false, changed_at from import_drafts`,
  `select pdf ->> 'id', false, changed_at from import_drafts cross join jsonb_array_elements(content -> 'pdfs') as pdf`,
  'select file_id, false, null from bank_statements',
].join('\n union all ');

/** Removes files, which drops their objects. The sweep deletes those two weeks later. */
const removeFiles = (condition: string): string =>
  `with referring as materialized (${REFERENCES}),
   used as materialized (
     select file_id, bool_and(is_removed) as is_removed, max(changed_at) as changed_at from referring group by file_id
   ),
   gone as (
     update files set status = 'Removed' where id = any (array(
       select f.id from files f left join used on used.file_id = f.id where f.status = 'Active' and ${condition}
       order by f.id limit $2 for update of f skip locked))
     returning 1
   ) select count(*)::int as removed from gone`;

const DOCUMENT_BUCKETS = "'capitalCalls', 'capitalAccounts', 'fundReports', 'announcements'";

const RULES = {
  signInCodes: aDayAfter('sign_in_codes', 'expires_at'),
  ownershipTokens: aDayAfter('ownership_tokens', 'expires_at'),
  refreshTokens: aDayAfter('refresh_tokens', 'expires_at'),
  magicLinks: aDayAfter('magic_links', 'time_to_remove'),
  usedIdTokens: aDayAfter('used_id_tokens', 'expires_at'),
  secretMails: aDayAfter('secret_mails', 'expires_at'),
  addressChanges: aDayAfter('address_changes', 'expires_at'),
  // The request ends by itself; without this, the account would name an email that nobody can confirm any more.
  emailsNotConfirmed: {
    before: (_limits, now) => now,
    sql: `with gone as (
      update users set pending_email = null where id = any (array(
        select id from users u where pending_email is not null and not exists (select from address_changes c
            where c.user_id = u.id and c.kind = 'email' and c.confirmed_at is null and c.ended_at is null and c.expires_at > $1)
          order by id limit $2 for update skip locked))
      returning 1
    ) select count(*)::int as removed from gone`,
  },
  // The longest window of a limit is a day.
  limitedCalls: aDayAfter('limited_calls', 'called_at'),
  mails: {
    before: ({ mailDays }, now) => daysAgo(now, mailDays),
    sql: deleteFrom('outbox', `status not in ('Queued', 'Held') and created_at < $1`),
  },
  readNotifications: {
    before: ({ notificationDays }, now) => daysAgo(now, notificationDays),
    sql: deleteFrom('notifications', 'not action_required and is_read and created_at < $1'),
  },
  // Somebody who comes back after a long time finds more than an empty list.
  unreadNotifications: {
    before: ({ notificationDays }, now) => daysAgo(now, 2 * notificationDays),
    sql: deleteFrom('notifications', 'not action_required and created_at < $1'),
  },
  // A chat is deleted for good, as its user can do as well.
  chats: {
    before: (_limits, now) => daysAgo(now, CHAT_DAYS),
    sql: deleteFrom('chats', `${CHANGED_AT('chats')} < $1`),
  },
  importDrafts: {
    before: ({ unusedDays }, now) => daysAgo(now, unusedDays),
    sql: deleteFrom('import_drafts', 'changed_at < $1'),
  },
  // The import stays as a record; what was in its rows was never imported.
  failedImports: {
    before: ({ unusedDays }, now) => daysAgo(now, unusedDays),
    sql: `with gone as (
      update imports set rows = '[]' where id = any (array(
        select id from imports where status in ('Pending', 'Removed') and finished_at is null
          and (failure is not null or status = 'Removed') and jsonb_array_length(rows) > 0
          and ${CHANGED_AT('imports')} < $1 order by id limit $2 for update skip locked))
      returning 1
    ) select count(*)::int as removed from gone`,
  },
  unusedFiles: {
    before: ({ unusedDays }, now) => daysAgo(now, unusedDays),
    sql: removeFiles(
      `f.bucket in ('bankStatements', 'importerFiles', 'loanTapes', 'testFiles') and used.file_id is null and f.created_at < $1`,
    ),
  },
  // Notices and statements that were made again, and replaced reports. Screens show the latest.
  replacedDocuments: {
    before: ({ removedDays }, now) => daysAgo(now, removedDays),
    sql: removeFiles(`f.bucket in (${DOCUMENT_BUCKETS}) and used.file_id is null and f.created_at < $1`),
  },
  filesOfRemoved: {
    before: ({ removedDays }, now) => daysAgo(now, removedDays),
    sql: removeFiles('used.is_removed and used.changed_at < $1'),
  },
  history: {
    before: ({ historyYears }, now) => (historyYears === null ? null : yearsAgo(now, historyYears)),
    sql: 'select forget_history($1, $2) as removed',
  },
} as const satisfies Record<string, Rule>;

export type RetentionKind = keyof typeof RULES;
export const RETENTION_KINDS = Object.keys(RULES) as RetentionKind[];
export const isRetentionKind = (name: string): name is RetentionKind => Object.hasOwn(RULES, name);

/**
 * Removes a batch of what is older than its limit, in one statement. Called as the program.
 * @returns how many were removed; fewer than `most` if none is left
 */
export async function removeExpired(
  session: Session,
  command: { kind: RetentionKind; limits: RetentionLimits; most: number },
): Promise<number> {
  const rule: Rule = RULES[command.kind];
  const before = rule.before(command.limits, session.now);
  if (before === null) return 0;
  const [row] = await session.query<{ removed: number }>(rule.sql, [before, command.most]);
  return row?.removed ?? 0;
}
