import { firstFew } from '@tapeline/domain/errors/first-few.ts';
import { compare, type DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { LoanTape } from '../../entities/tapes.ts';
import type { Session } from '../../store.ts';
import { getTape } from './tapes.ts';

/** What makes two uploads the same tape. */
export interface TapeIdentity {
  readonly companyId: string;
  readonly cutOffDate: string;
  /** SHA-256 of the file; null for a file of an earlier version, which equals no other. */
  readonly checksum: string | null;
  /** The sheet that is read; null if the file has none, or none was named and the file could not be looked at. */
  readonly sheetName: string | null;
  /** The upload names the sheet. Otherwise the file and the mapping decide, in both uploads alike. */
  readonly namesSheet: boolean;
  readonly mapping: { readonly id: string; readonly loanTapeSheetName: string };
}

/**
 * The latest tape that an upload of the same file made, and that is being processed, waits for answers or is published.
 * Until the transaction ends, no other upload of the company and cut-off date looks: of two at once, the second finds the
 * tape of the first.
 */
export async function findSameTape(session: Session, identity: TapeIdentity): Promise<LoanTape | null> {
  const { companyId, cutOffDate, checksum, sheetName, namesSheet, mapping } = identity;
  if (checksum === null) return null;
  await session.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`tapes/${companyId}/${cutOffDate}`]);
  // A tape has no sheet before its processing begins, or if it reads that of the mapping. Excel ignores case in names.
  const [found] = await session.query<{ id: string }>(
    `select t.id from loan_tapes t
     where t.company_id = $1 and t.cut_off_date = $2 and t.status = 'Active' and t.mapping_id = $3
       and t.attachment ->> 'checksum' = $4
       and ($6::text is null or lower(coalesce(t.sheet_name, $5)) = lower($6)
         or (t.sheet_name is null and not $7::boolean))
       and (t.generation_id is not null or t.scheduler_status = 'Processing' or jsonb_array_length(t.questions) > 0)
     order by t.code desc limit 1`,
    [companyId, cutOffDate, mapping.id, checksum, mapping.loanTapeSheetName, sheetName, namesSheet],
  );
  return found ? getTape(session, found.id) : null;
}

type Instruction = Pick<LoanTape, 'mainCurrency' | 'exchangeRates' | 'calculateBB'> & {
  readonly otherAttachments: readonly { readonly checksum?: string | null }[];
};

const MAX_CURRENCIES = 5;

/**
 * How an earlier tape differs from what an upload of the same file asks for, as parts of a sentence about the earlier
 * tape: "main currency USD instead of EUR".
 */
export function differencesOf(earlier: Instruction, upload: Instruction): string[] {
  const found: string[] = [];
  if (earlier.mainCurrency !== upload.mainCurrency) {
    found.push(`main currency ${earlier.mainCurrency} instead of ${upload.mainCurrency}`);
  }
  const currencies = differentRates(earlier.exchangeRates, upload.exchangeRates);
  if (currencies.length > 0) {
    found.push(`other exchange rates (${firstFew(currencies, { most: MAX_CURRENCIES })})`);
  }
  if (earlier.calculateBB !== upload.calculateBB) {
    found.push(earlier.calculateBB ? 'a borrowing base requested' : 'no borrowing base requested');
  }
  if (checksumsOf(earlier) !== checksumsOf(upload)) found.push('other additional files');
  return found;
}

/** First those of which both have a rate: a list of rates of one's own lacks most currencies. */
function differentRates(
  earlier: Readonly<Record<string, DecimalText>>,
  upload: Readonly<Record<string, DecimalText>>,
): string[] {
  const currencies = [...new Set([...Object.keys(earlier), ...Object.keys(upload)])].sort();
  const changed = currencies.filter((currency) => {
    const [one, other] = [earlier[currency], upload[currency]];
    return one !== undefined && other !== undefined && compare(one, other) !== 0;
  });
  const missing = currencies.filter((currency) => !(currency in earlier && currency in upload));
  return [...changed, ...missing];
}

const checksumsOf = ({ otherAttachments }: Instruction): string =>
  otherAttachments
    .map(({ checksum }) => checksum ?? '')
    .sort()
    .join();
