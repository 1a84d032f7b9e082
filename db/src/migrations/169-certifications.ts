import { Migration } from '@mikro-orm/migrations';
import { CASH_MAIL_KINDS, mailKinds } from './150-cash-messages.ts';
import { documentFiles } from './164-document-files.ts';
import {
  BY_COMPANY,
  EVERYTHING,
  list,
  OF_MANAGER,
  object,
  optional,
  references,
  SYSTEM_ONLY,
  tenantTable,
  text,
} from './tenant-table.ts';

/** Whoever does not see the borrowing base does not see the certificate of it. */
const BASE = 'exists (select from borrowing_bases b where b.id = certifications.base_id)';

const certifications = tenantTable({
  name: 'certifications',
  tenant: 'company',
  history: { exempt: 'It keeps who submitted, reviewed and decided it; a correction is another certificate.' },
  statuses: ['Draft', 'Submitted', 'InReview', 'Accepted', 'Disputed', 'Superseded'],
  initialStatus: 'Draft',
  columns: {
    // The certificate: a tape under a contract, and the version of its borrowing base that is certified.
    tape_id: 'object_id not null',
    contract_id: 'object_id not null',
    transaction_id: 'object_id not null',
    note_id: 'object_id not null',
    base_id: `object_id not null ${references('borrowing_bases')}`,
    number: 'integer not null check ({column} between 1 and 50)',
    /** The figures of the borrower; null if it confirms those that were calculated. */
    lines: optional(list(200, 1)),
    text: optional(text({ minLength: 20, maxLength: 2000 })),
    signed_name: optional(text({ minLength: 2, maxLength: 100 })),
    signed_title: optional(text({ minLength: 2, maxLength: 100 })),
    submitted_by: optional(object),
    submitted_at: 'timestamptz',
    reviewed_by: optional(object),
    reviewed_at: 'timestamptz',
    decided_by: optional(object),
    decided_at: 'timestamptz',
    disputed: list(200),
    /** Of the sealed file: the part of its address that nobody can guess, and the hash that is compared. */
    verification: "text check ({column} ~ '^[A-Za-z0-9_-]{43}$')",
    sha256: "text check ({column} ~ '^[0-9a-f]{64}$')",
    file_id: `object_id ${references('files')}`,
  },
  constraints: [
    `foreign key (tape_id, company_id) ${references('loan_tapes', 'id, company_id')}`,
    `foreign key (contract_id, company_id, transaction_id, note_id) ${references('contracts', 'id, company_id, transaction_id, note_id')}`,
    'unique (tape_id, contract_id, number)',
    "constraint certifications_signed check ((status = 'Draft') = (submitted_by is null))",
    'check (num_nulls(submitted_by, submitted_at, text, signed_name, signed_title) in (0, 5))',
    'check ((reviewed_by is null) = (reviewed_at is null))',
    "constraint certifications_reviewed check (status not in ('InReview', 'Accepted', 'Disputed') or reviewed_by is not null)",
    'check ((decided_by is null) = (decided_at is null))',
    "constraint certifications_decided check (case when status in ('Accepted', 'Disputed') then decided_by is not null when status <> 'Superseded' then decided_by is null else true end)",
    // Nobody accepts what they submitted.
    "constraint certifications_second check (decided_by ->> 'id' is distinct from submitted_by ->> 'id' or decided_by is null)",
    'check (num_nulls(verification, sha256, file_id) in (0, 3))',
    "constraint certifications_sealed check (case when status = 'Accepted' then sha256 is not null when status <> 'Superseded' then sha256 is null else true end)",
    "constraint certifications_disputed check (case when status = 'Disputed' then jsonb_array_length(disputed) > 0 when status <> 'Superseded' then jsonb_array_length(disputed) = 0 else true end)",
  ],
  indexes: [
    "unique (tape_id, contract_id) where status = 'Draft'",
    "unique (tape_id, contract_id) where status in ('Submitted', 'InReview', 'Disputed')",
    "unique (tape_id, contract_id) where status = 'Accepted'",
    'unique (verification)',
    '(base_id)',
    '(note_id)',
    "(manager_id) where status in ('Submitted', 'InReview')",
  ],
  // The lender does not see what the borrower has not submitted.
  read: `((((${OF_MANAGER}) and status <> 'Draft') or ${BY_COMPANY}) and (${EVERYTHING} or ${BASE})) or ${SYSTEM_ONLY}`,
  write: {
    insert: `${BY_COMPANY} or ${SYSTEM_ONLY}`,
    update: `((${OF_MANAGER}) and status <> 'Draft') or ${BY_COMPANY} or ${SYSTEM_ONLY}`,
    delete: 'false',
  },
});

/** What was submitted never changes, each state follows from the one before, and only the lender decides. */
const states = `
create function keep_certification() returns trigger language plpgsql as $$
declare
  decided text[] := '{status,metadata,version,reviewed_by,reviewed_at,decided_by,decided_at,disputed,verification,sha256,file_id}';
begin
  if tg_op = 'INSERT' then
    if new.status <> 'Draft' then
      raise exception 'a certificate begins as a draft' using errcode = 'check_violation', constraint = 'certifications_states';
    end if;
    return new;
  end if;
  if old.status <> new.status and not (old.status || ' ' || new.status = any (array['Draft Submitted', 'Submitted InReview', 'Submitted Superseded',
      'InReview Accepted', 'InReview Disputed', 'InReview Superseded', 'Accepted Superseded', 'Disputed Superseded']))
    or old.status = new.status and old.status <> 'Draft' then
    raise exception 'a certificate cannot go from % to %', old.status, new.status using errcode = 'check_violation', constraint = 'certifications_states';
  end if;
  if old.status <> 'Draft' and (to_jsonb(new) - decided <> to_jsonb(old) - decided
      or new.status = 'Superseded' and to_jsonb(new) - '{status,metadata,version}'::text[] <> to_jsonb(old) - '{status,metadata,version}'::text[]) then
    raise exception 'what was submitted stays' using errcode = 'check_violation', constraint = 'certifications_fixed';
  end if;
  if actor_type() = 'company' and new.status in ('InReview', 'Accepted', 'Disputed') then
    raise exception 'only the lender decides' using errcode = 'check_violation', constraint = 'certifications_lender';
  end if;
  return new;
end $$;
create trigger certifications_states before insert or update on certifications for each row execute function keep_certification();`;

/** A code that signs one certificate is no other code. */
const codes = `
alter table sign_in_codes drop constraint sign_in_codes_purpose_check,
  add constraint sign_in_codes_purpose_check check (purpose in ('sign-in', 'recovery-email') or purpose ~ '^certification/[0-9a-f]{24}$');`;

/** The contracts under which draws are checked against accepted borrowing bases only. */
const drawsUseAccepted = `
alter table contracts add column draws_use_accepted boolean generated always as (
  coalesce(body #> '{certification,drawsUseAccepted}' = 'true'::jsonb, false)) stored;
create index contracts_draws_use_accepted on contracts (id) where draws_use_accepted;`;

const files = documentFiles('create or replace function', [
  ['facilityFigures', 'facility_figures', 'file_id'],
  ['covenants', 'covenant_results', 'cure_file_id'],
  ['covenants', 'covenant_waivers', 'file_id'],
  ['amendments', 'amendments', 'file_id'],
  ['borrowingBases', 'certifications', 'file_id'],
]);

/** Borrowing bases that the borrower certifies and the lender accepts, and draws that are checked against those. */
export class Certifications extends Migration {
  override up(): void {
    this.addSql(
      [
        certifications,
        states,
        codes,
        drawsUseAccepted,
        files,
        mailKinds([...CASH_MAIL_KINDS, 'covenantBreached', 'certificateSubmitted', 'certificateDecided']),
      ].join('\n'),
    );
  }
}
