import { Migration } from '@mikro-orm/migrations';

const isSeen = (column: string): string =>
  `coalesce(${column} <> all ((select companies_of_blocked_facilities())::text[]), true)`;

/**
 * A tape belongs to a borrower, and its loans to the borrower's facilities: a pair is hidden from users for whom one of
 * them is blocked. The function looks behind the block, which is why it switches the block off for one query.
 */
const hiddenPairs = `
create function companies_of_blocked_facilities() returns text[] stable language plpgsql as $$
declare
  blocked text := nullif(current_setting('tapeline.blocked', true), '');
  found text[];
begin
  if blocked is null or blocked !~ '(^|,)transactions/' then
    return '{}';
  end if;
  perform set_config('tapeline.blocked', '', true);
  found := array(select distinct company_id from transactions
    where 'transactions/' || id = any (string_to_array(blocked, ',')) and status <> 'Removed');
  perform set_config('tapeline.blocked', blocked, true);
  return found;
end $$;
create policy blocked_facility on duplicate_pairs as restrictive for select using (
  ${isSeen('first_company_id')} and ${isSeen('second_company_id')});`;

/** The history of a pair does not name the facilities. */
const hiddenHistory = `
create function pairs_of_blocked_facilities() returns text[] stable language plpgsql as $$
declare
  blocked text := nullif(current_setting('tapeline.blocked', true), '');
  companies text[] := companies_of_blocked_facilities();
  found text[];
begin
  if cardinality(companies) = 0 then
    return '{}';
  end if;
  perform set_config('tapeline.blocked', '', true);
  found := array(select id from duplicate_pairs
    where first_company_id = any (companies) or second_company_id = any (companies));
  perform set_config('tapeline.blocked', blocked, true);
  return found;
end $$;
create policy blocked_pair on history as restrictive for select using (
  resource <> 'duplicates' or document_id <> all ((select pairs_of_blocked_facilities())::text[]));`;

/** Pairs of loans are hidden with each facility of their borrowers. */
export class LoanDuplicates extends Migration {
  override up(): void {
    this.addSql([hiddenPairs, hiddenHistory].join('\n'));
  }
}
