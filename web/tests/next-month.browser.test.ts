import { ALDER_COMPANY } from '@tapeline/demonstration/names.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ApiClient, expectRefusal } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { finishedTape } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';
import { sheetXml, workbookBytes } from './workbook-bytes.ts';

const tenant = ownTenant();
const { manager: MANAGER } = tenant.emails;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A mapping of October's tape that uses the second of the two Spread columns. */
const MAPPING = {
  loanTapeSheetName: 'Oct-24 Pool',
  primaryCurrency: 'USD',
  rules: [
    { originCol: 'Deal', targetCol: 'assetId', checks: ['Mandatory', 'Unique'], serializations: [{ type: 'text' }] },
    { originCol: 'Spread (2)', targetCol: 'interestRate', serializations: [{ type: 'SerializedInterest' }] },
    {
      originCol: 'Standing',
      targetCol: 'assetStatus',
      serializations: [
        {
          type: 'switchCase',
          // biome-ignore lint/suspicious/noThenProperty: `then` is a field of the mapping format
          cases: [{ equals: ['Good'], then: 'current' }],
          default: { previous: true },
        },
        { type: 'assetStatus' },
      ],
    },
  ],
};

const LOANS = [
  ['Deal', 'Spread', 'Spread', 'Standing'],
  ['D-1', 1, 2, 'Good'],
  ['D-2', 3, 4, 'Charged off (sold)'],
  ['D-3', 5, 6, 'charged  off (SOLD)'],
  ['D-4', 7, 8, 'Hardship plan'],
  ['D-5', 'see note', 8, 'default'],
];

let manager: ApiClient;
let company: string;
let mapping: { id: string };
beforeAll(async () => {
  manager = tenant.manager;
  [{ id: company }] = (await manager.get('/crud/companies', { filter: { 'entity.name': ALDER_COMPANY } })).json;
});
beforeEach(async () => {
  const answer = await manager.post('/crud/assetsETLs', { ...MAPPING, company });
  expect(answer.status, answer.text).toBe(201);
  mapping = answer.json;
});

async function upload(sheet: string, more: Record<string, unknown> = {}) {
  const bytes = workbookBytes({ name: sheet, xml: sheetXml(LOANS) });
  const announced = await manager.post('/files/signedUrls/loanTapes?operation=upload', {
    filesInfo: [{ name: 'pool.xlsx', size: bytes.byteLength, type: XLSX }],
  });
  const { key, signedUrl } = announced.json[0].fileMetadata;
  await fetch(signedUrl, { method: 'PUT', headers: { 'content-type': XLSX }, body: new Uint8Array(bytes) });
  return manager.post('/files/loanTapeScheduler', {
    cutOffDate: '2013-11-30',
    companyId: company,
    mainCurrency: 'USD',
    assetsETL: mapping.id,
    attachments: [{ key }],
    ...more,
  });
}

async function published(sheet: string): Promise<string> {
  const answer = await upload(sheet);
  expect(answer.status, answer.text).toBe(201);
  const id = answer.json.loanTapes[0].id;
  expect(await finishedTape(manager, id)).toMatchObject({
    processStatus: 'Completed',
    failure: null,
    sheetName: sheet,
  });
  return id;
}

describe("next month's tape", () => {
  it('is refused with the sheets there are, and how to go on, where none is the mapping’s', async () => {
    expectRefusal(
      await upload('Summary'),
      400,
      'The workbook has no sheet "Oct-24 Pool". Its sheets are: "Summary". The mapping reads "Oct-24 Pool". Enter the sheet name when you upload the tape, or change it in the mapping.',
    );
  });

  it('is refused under the name of another month where that month is asked for by name', async () => {
    expectRefusal(
      await upload('Nov-24 Pool', { sheetName: 'Sep-24 Pool' }),
      400,
      /The workbook has no sheet "Sep-24 Pool"/,
    );
  });

  it.each([{ javaScript: true }, { javaScript: false }])(
    'is read by its own sheet, and its new statuses are added to the mapping at once ($javaScript)',
    async ({ javaScript }) => {
      const tape = await published('Nov-24 Pool');
      // The file again is the same tape, whether its sheet is named or not.
      for (const more of [{}, { sheetName: 'Nov-24 Pool' }]) {
        expect((await upload('Nov-24 Pool', more)).json.loanTapes).toMatchObject([{ id: tape, existed: true }]);
      }
      const [asset, ...others] = (await manager.get('/crud/assets', { filter: { loanTape: tape } })).json;
      expect(asset.targetData).toMatchObject({ assetId: 'D-1', interestRate: { value: 2 }, assetStatus: 'current' });
      expect(others.map((each: { targetData: { assetId: string } }) => each.targetData.assetId)).toEqual(['D-5']);

      const page = await openPage({ javaScript, expectedErrors: [/422/] });
      const errored = paths.tape(tape, { view: 'errored' });
      await signIn(page, MANAGER);
      await page.goto(errored);
      await page.getByText('“Charged off (sold)” 2 rows').waitFor();
      expect(await page.getByLabel('Meaning of “Charged off (sold)”').inputValue()).toBe('chargedOff');
      expect(await page.getByLabel('Meaning of “Hardship plan”').inputValue()).toBe('');
      if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Add to the mapping as version 2' }).click();
      await page.getByText('Version 2 is saved').waitFor();

      // The current version now maps the first status. The one left open is still listed.
      await page.goto(errored);
      await page.getByText('“Hardship plan” 1 row').waitFor();
      expect(await page.getByLabel(/^Meaning of “/).count()).toBe(1);
      await page.getByRole('button', { name: 'Add to the mapping as version 3' }).click();
      await page.getByText('Choose a meaning for at least one status').waitFor();
      await page.getByLabel('Meaning of “Hardship plan”').selectOption('slowPayment');
      await page.getByRole('button', { name: 'Add to the mapping as version 3' }).click();
      await page.getByText('Version 3 is saved').waitFor();

      await page.goto(errored);
      await page.getByText(/^3 errored/).waitFor();
      expect(await page.getByText('Statuses the mapping does not recognize').count()).toBe(0);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await overflowsSideways(page)).toBe(false);
      const [latest] = (await manager.get('/crud/assetsETLs', { filter: { company }, sort: { code: -1 }, limit: 1 }))
        .json;
      const cases: Record<string, unknown>[] = latest.rules[2].serializations[0].cases;
      expect(cases.slice(1).map(({ equals, then: status }) => [equals, status])).toEqual([
        ['Charged off (sold)', 'chargedOff'],
        ['Hardship plan', 'slowPayment'],
      ]);
    },
  );
});
