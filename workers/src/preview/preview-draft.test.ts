import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InspectedSheet, inspectSheetFile } from '../sheets/inspect-sheet.ts';
import { previewDraft } from './preview-draft.ts';

const RULES = [
  { originCol: 'Loan', targetCol: 'assetId', checks: ['Mandatory', 'Unique'], serializations: [{ type: 'text' }] },
  { originCol: 'Balance', targetCol: 'outstandingSum', serializations: [{ type: 'SerializedSum' }] },
];
const terms = { cutOffDate: '2026-10-31', primaryCurrency: 'USD' };

describe('a draft shown on a file', () => {
  let folder: string;
  let sheet: InspectedSheet;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'draft-'));
    const file = join(folder, 'tape.csv');
    await writeFile(file, 'Loan,Balance\nA-1,100\nA-2,not a number\n');
    sheet = await inspectSheetFile(file, {});
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('gives the columns as read and the rows as mapped, of one reading', async () => {
    const found = await previewDraft(sheet, { ...terms, rules: RULES });
    expect(found.fault).toBeNull();
    expect(found.head.columns.map(({ header }) => header)).toEqual(['Loan', 'Balance']);
    expect(found.mapped).toMatchObject({ assets: 1, errored: 1, missingHeaders: [] });
  });

  it('keeps the columns to choose from where the rules cannot be used, and says why', async () => {
    const found = await previewDraft(sheet, { ...terms, rules: [{ originCol: 'Loan' }] });
    expect(found).toMatchObject({ mapped: null, fault: 'The mapping cannot be used; see the flagged rules' });
    expect(found.head.rows).toHaveLength(2);
  });
});
