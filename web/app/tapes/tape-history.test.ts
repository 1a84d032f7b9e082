import { describe, expect, it } from 'vitest';
import { tellTapeChange } from './tape-history.ts';

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
    expect(tellTapeChange('Insert', fields)).toBe('Uploaded northwind-2026-10.xlsx, cut-off 31 Oct 2026, mapping v3');
  });

  it('counts what was published, as JSON text or as a value', () => {
    const fields = [
      change('generationId', 'a'),
      change('counts', counts(4984, 16)),
      change('processStatus', 'Completed'),
    ];
    expect(tellTapeChange('Update', fields)).toBe('Published: 4,984 assets, 16 errored rows');
    const again = [
      change('generationId', 'b', 'a'),
      change('counts', JSON.stringify(counts(4985, 15)), counts(4984, 16)),
    ];
    expect(tellTapeChange('Update', again)).toBe('Published anew: 4,985 assets, 15 errored rows');
  });

  it('tells discarded rows from corrected ones', () => {
    const fields = [change('counts', counts(4984, 14, 2), counts(4984, 16, 0))];
    expect(tellTapeChange('Update', fields)).toBe(
      '2 errored rows discarded: 4,984 assets, 14 errored rows, 2 rows discarded',
    );
  });

  it('says why work stopped, and which borrowing base failed', () => {
    expect(
      tellTapeChange('Update', [change('schedulerStatus', 'Completed', 'Processing'), change('failure', 'Cancelled')]),
    ).toBe('Stopped: Cancelled');
    const base = { noteId: 'n', noteTitle: 'Senior', status: 'Processing', failure: null, borrowingBaseId: null };
    expect(
      tellTapeChange('Update', [
        change('borrowingBaseStatuses', [{ ...base, status: 'Completed', borrowingBaseId: 'b' }], [base]),
      ]),
    ).toBe('Borrowing base of Senior calculated');
    expect(
      tellTapeChange('Update', [
        change('borrowingBaseStatuses', [{ ...base, status: 'Completed', failure: 'No contract in force' }], [base]),
      ]),
    ).toBe('Borrowing base of Senior failed: No contract in force');
  });

  it('names fields that no sentence covers', () => {
    expect(tellTapeChange('Update', [change('sheetName', 'Loans')])).toBe('Changed: sheet name');
    expect(tellTapeChange('Update', [change('processStatus', 'Processing'), change('fence', 1)])).toBe('Reading began');
    expect(tellTapeChange('Update', [change('schedulerStatus', 'Completed')])).toBe('All work on it done');
    expect(tellTapeChange('Delete', [change('status', 'Removed')])).toBe('Removed');
  });
});
