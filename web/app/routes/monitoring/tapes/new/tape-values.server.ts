import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { PROPOSAL_SOURCE_LABELS, type Sourced } from '@tapeline/domain/tapes/propose/sources.ts';
import type { TapeProposal } from '../../../../commands/tape-proposals.server.ts';
import { formatBytes } from '../../../../components/figures/format.ts';
import type { UploadChoices } from '../upload-choices.server.ts';
import { NEW_COMPANY, SUGGESTED } from '../upload-form.schema.ts';
import { isFitting, proposedRulesOf } from './proposed-rules.ts';

/** A file of the review: the values that its fields start with, and where each was found. */
export type FilledTape = ReturnType<typeof filledIn>;

/** The fields of a file, filled from its proposal. */
export function filledIn(proposal: TapeProposal, { mayCreateCompany, mayMakeMapping }: UploadChoices) {
  const { company, cutOffDate, currency } = proposal;
  const rules = proposedRulesOf(proposal);
  const isSuggested = !isFitting(rules) && rules.columns.length > 0 && mayMakeMapping;
  return {
    fileId: proposal.fileId,
    key: proposal.key,
    name: proposal.name,
    size: formatBytes(proposal.bytes),
    bytes: proposal.bytes,
    dataRow: proposal.headerRow === null ? null : proposal.headerRow + 1,
    companyId: company?.value ?? (mayCreateCompany && proposal.newName !== '' ? NEW_COMPANY : ''),
    companyName: company?.name ?? null,
    newCompany: { name: proposal.newName, country: '', currency: currency?.value ?? '' },
    cutOffDate: cutOffDate?.value ?? '',
    mainCurrency: currency?.value ?? '',
    sheetName: proposal.sheets.length > 1 ? proposal.sheetName : '',
    mapping: isSuggested ? SUGGESTED : '',
    use: rules.columns.flatMap(({ isOn }, index) => (isOn ? [String(index)] : [])),
    proposed: JSON.stringify(rules),
    latest: '',
    hints: {
      company: company ? foundIn(company) : 'No known borrower matches this file',
      cutOffDate: cutOffDate
        ? [
            foundIn(cutOffDate),
            ...cutOffDate.others.map((other) => `${foundIn(other)}: ${formatCalendarDate(other.value)}`),
          ].join('. ')
        : 'Not found in the file',
      mainCurrency: currency ? foundIn(currency) : 'Not found in the file',
    },
  };
}

/** "From the file name", with what was read there if that is not the whole file name. */
function foundIn({ source, text }: Sourced<unknown>): string {
  const where = PROPOSAL_SOURCE_LABELS[source];
  return `From ${where}${text === '' || source === 'fileName' || source === 'columns' ? '' : ` “${text}”`}`;
}
