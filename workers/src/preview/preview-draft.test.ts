import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type InspectedSheet, inspectSheetFile } from '@tapeline/sheets/inspect-sheet.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    expect(found.problem).toBeNull();
    expect(found.head.columns.map(({ header }) => header)).toEqual(['Loan', 'Balance']);
    expect(found.mapped).toMatchObject({ assets: 1, errored: 1, missingHeaders: [] });
  });

  it('keeps the columns to choose from where the rules cannot be used, and says why', async () => {
    const found = await previewDraft(sheet, { ...terms, rules: [{ originCol: 'Loan' }] });
    expect(found).toMatchObject({ mapped: null, problem: 'The mapping cannot be used; see the flagged rules' });
    expect(found.head.rows).toHaveLength(2);
  });
});

describe('a draft whose headers the file lacks', () => {
  it('shows the rows all the same, and the cells of the rules that need a missing header say so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lacking-'));
    try {
      const file = join(folder, 'tape.csv');
      await writeFile(file, 'Loan,Balance\nA-1,100\nA-2,not a number\n');
      const sheet = await inspectSheetFile(file, {});
      const rules = [
        ...RULES,
        { originCol: 'Rate', targetCol: 'interestRate', serializations: [{ type: 'SerializedInterest' }] },
        { targetCol: 'doubled', serializations: [{ type: 'add', column: 'interestRate' }] },
        {
          originCol: 'Balance',
          targetCol: 'product',
          // biome-ignore lint/suspicious/noThenProperty: `then` is a key of the contract
          serializations: [{ type: 'ifStatement', filter: { Grade: 'A' }, then: 'prime', else: 'other' }],
        },
      ];
      const { mapped, problem } = await previewDraft(sheet, { ...terms, rules });
      expect(problem).toBeNull();
      expect(mapped).toMatchObject({ missingHeaders: ['Rate', 'Grade'], assets: 0, errored: 2 });
      expect(mapped?.rows.map(({ cells }) => cells.map(({ value, error }) => error ?? value))).toEqual([
        ['A-1', '100.0000 USD', ...lacks('Rate', 'Rate', 'Grade')],
        ['A-2', '"not a number" is not a number', ...lacks('Rate', 'Rate', 'Grade')],
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
  const lacks = (...headers: string[]) => headers.map((header) => `the sheet has no column "${header}"`);
});

describe('a draft that lengthens its cells', () => {
  const lengthened = (steps: number) => [
    { originCol: 'Loan', targetCol: 'assetId', checks: ['Mandatory'], serializations: [{ type: 'text' }] },
    ...Array.from({ length: 20 }, (_, rule) => ({
      originCol: 'Note',
      targetCol: `note ${rule}`,
      serializations: Array.from({ length: steps }, (_, step) => ({
        type: 'replaceStrings',
        value: ['abcdef'[step], 'abcdef'[step + 1]?.repeat(1000)],
      })),
    })),
  ];
  const sheetOf = async (note: string): Promise<InspectedSheet> => {
    const folder = await mkdtemp(join(tmpdir(), 'lengthened-'));
    try {
      const file = join(folder, 'tape.csv');
      const rows = Array.from({ length: 100 }, (_, row) => `L${row},${note}`);
      await writeFile(file, ['Loan,Note', ...rows].join('\n'));
      return await inspectSheetFile(file, {});
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  it('a thousandfold three times over is an error in every row, and takes no memory', async () => {
    const sheet = await sheetOf('aaaaaaaaaa');
    const before = process.memoryUsage().rss;
    const { mapped } = await previewDraft(sheet, { ...terms, rules: lengthened(3) });
    expect(process.memoryUsage().rss - before).toBeLessThan(500 * 2 ** 20);
    expect(mapped).toMatchObject({ assets: 0, errored: 100 });
    expect(mapped?.rows[0]?.cells[1]).toEqual({
      value: null,
      error: '"aaaaaaaaaa" gives a text of more than 32,767 characters',
      warning: null,
    });
  });

  it('to a long text shows its first thousand characters', async () => {
    const { mapped } = await previewDraft(await sheetOf('aaaaaaaaaa'), { ...terms, rules: lengthened(1) });
    expect(mapped).toMatchObject({ assets: 100, errored: 0 });
    expect(mapped?.rows[99]?.cells[20]).toEqual({ value: `${'b'.repeat(1000)}…`, error: null, warning: null });
  });
});
