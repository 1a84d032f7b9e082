import { describe, expect, it } from 'vitest';
import { describeProposalChange, describeTapeChange } from './tape-changes.ts';

const change = (field: string, now: unknown, old: unknown = null) => ({ field, old, new: now });
const counts = (assets: number, errored: number, discarded = 0) => ({ assets, errored, discarded, rows: 5000 });

describe('what happened to a tape, in words', () => {
  it('names the file, its cut-off date and the mapping of an upload', () => {
    const fields = [
      change('attachment', JSON.stringify({ name: 'northwind-2026-10.xlsx', key: 'x' })),
      change('cutOffDate', '2026-10-31'),
      change('mappingVersion', 3),
      change('exchangeRates', '{}'),
    ];
    expect(describeTapeChange('Insert', fields)).toBe(
      'Uploaded northwind-2026-10.xlsx, cut-off 31 Oct 2026, mapping v3',
    );
  });

  it('counts what was published, as JSON text or as a value', () => {
    const fields = [
      change('generationId', 'a'),
      change('counts', counts(4984, 16)),
      change('processStatus', 'Completed'),
    ];
    expect(describeTapeChange('Update', fields)).toBe('Published: 4,984 assets, 16 errored rows');
    const again = [
      change('generationId', 'b', 'a'),
      change('counts', JSON.stringify(counts(4985, 15)), counts(4984, 16)),
    ];
    expect(describeTapeChange('Update', again)).toBe('Republished: 4,985 assets, 15 errored rows');
  });

  it('tells discarded rows from corrected ones', () => {
    const fields = [change('counts', counts(4984, 14, 2), counts(4984, 16, 0))];
    expect(describeTapeChange('Update', fields)).toBe(
      '2 errored rows discarded: 4,984 assets, 14 errored rows, 2 rows discarded',
    );
  });

  it('says why work stopped, and which borrowing base failed', () => {
    expect(
      describeTapeChange('Update', [
        change('schedulerStatus', 'Completed', 'Processing'),
        change('failure', 'Cancelled'),
      ]),
    ).toBe('Stopped: Cancelled');
    const base = { noteId: 'n', noteTitle: 'Senior', status: 'Processing', failure: null, borrowingBaseId: null };
    expect(
      describeTapeChange('Update', [
        change('borrowingBaseStatuses', [{ ...base, status: 'Completed', borrowingBaseId: 'b' }], [base]),
      ]),
    ).toBe('Borrowing base of Senior calculated');
    expect(
      describeTapeChange('Update', [
        change('borrowingBaseStatuses', [{ ...base, status: 'Completed', failure: 'No contract in force' }], [base]),
      ]),
    ).toBe('Borrowing base of Senior failed: No contract in force');
  });

  it('names fields that no sentence covers', () => {
    expect(describeTapeChange('Update', [change('sheetName', 'Loans')])).toBe('Changed: sheet name');
    expect(describeTapeChange('Update', [change('processStatus', 'Processing'), change('fence', 1)])).toBe(
      'Processing started',
    );
    expect(describeTapeChange('Update', [change('schedulerStatus', 'Completed')])).toBe('Processing complete');
    expect(describeTapeChange('Delete', [change('status', 'Removed')])).toBe('Removed');
  });
});

it.each([
  ['Insert', [{ field: 'rowNumbers', old: null, new: '{3,4}' }], 'Proposed a correction of 2 rows (proposal 7)'],
  ['Insert', [{ field: 'rowNumbers', old: null, new: [3] }], 'Proposed a correction of 1 row (proposal 7)'],
  ['Update', [{ field: 'acceptingGenerationId', old: null, new: 'a' }], 'Accepted proposal 7'],
  ['Update', [{ field: 'status', old: 'Proposed', new: 'Accepted' }], 'Proposal 7 applied'],
  [
    'Update',
    [
      { field: 'status', old: 'Proposed', new: 'Declined' },
      { field: 'declineReason', old: null, new: 'No' },
    ],
    'Declined proposal 7: No',
  ],
  ['Update', [{ field: 'status', old: 'Proposed', new: 'Withdrawn' }], 'Withdrew proposal 7'],
])('a proposal: %s of %j is told as %s', (operation, fields, told) => {
  expect(describeProposalChange(7, operation, fields)).toBe(told);
});
