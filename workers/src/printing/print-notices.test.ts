import { crc32, deflateSync } from 'node:zlib';
import { capitalAccountStatement } from '@tapeline/domain/capital/capital-account-statement.ts';
import { type CallFacts, purposeTotals } from '@tapeline/domain/capital/capital-call-notice.ts';
import { lineTotals } from '@tapeline/domain/capital/distribution-notice.ts';
import { printCapitalAccountStatement } from '@tapeline/domain/capital/print/account-statement.ts';
import { printCapitalCallNotice, printCapitalCallSummary } from '@tapeline/domain/capital/print/capital-call.ts';
import { printDistributionNotice, printDistributionSummary } from '@tapeline/domain/capital/print/distribution.ts';
import { printNettedNotice } from '@tapeline/domain/capital/print/netted.ts';
import { sampleFund } from '@tapeline/domain/capital/testing/sample-notices.ts';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { encode } from 'fast-png';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { readLogo } from './logo.ts';
import { printDocument } from './print-document.ts';

const fund = sampleFund(16);
const callNotice = (index: number, facts: Partial<CallFacts> = {}): PrintedDocument =>
  printCapitalCallNotice({ ...fund.call, ...facts }, fund.callShares[index]!, purposeTotals(fund.callShares));
const distribution = printDistributionNotice(
  fund.distribution,
  fund.distributionShares[0]!,
  lineTotals(fund.distributionShares),
);
const statementAt = (cutOffDate: string): PrintedDocument =>
  printCapitalAccountStatement(
    capitalAccountStatement(
      {
        letterhead: fund.call.letterhead,
        fund: fund.call.fund,
        investor: fund.investors[0]!.investor,
        issueDate: '2026-10-28',
        cutOffDate,
        holdingPercent: fund.callShares[0]!.holdingPercent,
        holdingOf: 'class',
      },
      [fund.investors[0]!.ledger],
    ),
  );

async function read(document: PrintedDocument) {
  const bytes = await printDocument(document);
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const { text: pages } = await extractText(pdf, { mergePages: false });
  return { bytes, pdf, pages, text: pages.join('\n').replaceAll(/\s+/g, ' ') };
}
const expectAll = (text: string, ...parts: readonly string[]): void => {
  for (const part of parts) expect(text).toContain(part);
};

test('the notice of a call and a distribution that are netted has both parts and the net amount', async () => {
  const { text, pages } = await read(
    printNettedNotice({
      call: { facts: fund.call, share: fund.callShares[0]!, whole: purposeTotals(fund.callShares) },
      distribution: {
        facts: fund.distribution,
        share: fund.distributionShares[0]!,
        whole: lineTotals(fund.distributionShares),
        reference: 'HCF2-D4-001A-7',
      },
    }),
  );
  // 501,547.98 called, 322,306.91 distributed.
  expectAll(
    text,
    ...['Capital call and distribution notice', 'Call 9 and distribution 4', 'Net amount due', 'HCF2-C9-001A-4'],
    ...['501,547.98', '322,306.91', '179,241.07', 'This call', 'This distribution', 'First Tidewater Bank'],
  );
  expect(text).not.toContain('HCF2-D4-001A-7');
  expect(pages.length).toBeLessThanOrEqual(2);
});

describe('the notice of a capital call', () => {
  test('has every figure, the dates and the account to pay into, on one page', async () => {
    const { pages, text, pdf } = await read(callNotice(0));
    expect(pages).toHaveLength(1);
    expectAll(
      text,
      ...['Harbour Credit Partners', 'investors@harbourcredit.example', 'Adeyemi Foundation', 'Lagos, Nigeria'],
      ...['Call 9 · Harbour Credit Fund II LP · Class A', '5 Nov 2026', '31 Oct 2026', '18 Nov 2026'],
      ...['USD 6,000,000.00', '7.4074%', 'USD 501,547.98', 'Management fee · Q4 2026'],
      ...['4,000,000.00', '2,500,000.00', '229,027.07', '41,870.56', '6,770,897.63'],
      ...['296,296.30', '185,185.19', '16,964.97', '3,101.52', '501,547.98'],
      ...['4,464,000.00', '4,965,547.98', '360,000.00', '1,896,000.00', '−501,547.98', '1,394,452.02'],
      ...['First Tidewater Bank', '3300 1188 4471', '021000218', 'FTWBUS33', 'HCF2-C9-001A-4'],
      ...['Mara Reyes', 'We never change wire details by email', 'Page 1 of 1'],
    );
    expect((await pdf.getMetadata()).info).toMatchObject({ CreationDate: 'D:20261105000000Z', Language: 'en' });
    expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
  });

  test('prints names in Greek, Cyrillic and extended Latin', async () => {
    for (const [index, name] of [
      [2, 'Kungsholmen Försäkring AB'],
      [3, 'Αιγαίον Επενδυτική Α.Ε.'],
      [4, 'Пенсионный фонд «Волга»'],
      [5, 'Łódzki Fundusz Emerytalny'],
    ] as const) {
      expect((await read(callNotice(index))).text).toContain(name);
    }
  });

  test('continues a long description on further pages without losing a word', async () => {
    const words = Array.from({ length: 1_200 }, (_, index) => `word${index}`);
    const trailingDescription = `${words.join(' ')}\n\n${'X'.repeat(900)}`;
    const { pages, text } = await read(callNotice(0, { trailingDescription }));
    expect(pages.length).toBeGreaterThan(2);
    expect(text.match(/word\d+/g)).toEqual(words);
    expect(text.replaceAll(' ', '').match(/X+/g)?.join('')).toHaveLength(900);
  });

  test('prints texts of the greatest length whole', async () => {
    const share = fund.callShares[0]!;
    const long = (word: string, length: number): string => `${word} `.repeat(length).slice(0, length - 1);
    const purposes = Array.from({ length: 60 }, (_, index) => ({
      title: long(`Investment-${index}-in-loans`, 150),
      kind: 'investments' as const,
      amount: `${index + 1}000.01`,
    }));
    const formalName = long('Pensionskasse', 250);
    const wire = { ...fund.call.wire!, bank: long('Sparkasse', 250), beneficiary: 'X'.repeat(250) };
    const notice = printCapitalCallNotice(
      { ...fund.call, wire },
      { ...share, purposes, investor: { ...share.investor, formalName } },
      purposes,
    );
    const { pages } = await read(notice);
    const text = pages.join('').replaceAll(/\s/g, '');
    for (const { title, amount } of purposes) {
      expectAll(text, title.replaceAll(' ', ''), `${Number.parseInt(amount, 10) / 1000},000.01`);
    }
    expectAll(text, formalName.replaceAll(' ', ''), wire.bank.replaceAll(' ', ''), wire.beneficiary);
    for (const [index, page] of pages.entries()) expect(page).toContain(`Page ${index + 1} of ${pages.length}`);

    const [first, ...others] = fund.callShares;
    const list = await read(
      printCapitalCallSummary(fund.call, [{ ...first!, investor: { ...first!.investor, formalName } }, ...others]),
    );
    expect(list.text.replaceAll(' ', '')).toContain(formalName.replaceAll(' ', ''));
  });

  test('keeps every digit of amounts that are wider than their column', async () => {
    const share = fund.callShares[0]!;
    const amount = '987654321098765432109876.54';
    const purposes = [{ title: 'Investments', kind: 'investments' as const, amount }];
    const { text } = await read(printCapitalCallNotice(fund.call, { ...share, purposes }, [...purposes]));
    expect(text).toContain('987,654,321,098,765,432,109,876.54');
    expect(text).not.toContain('…');
  });
});

test('the notice of a distribution has every component and what it leaves to be called', async () => {
  const { text } = await read(distribution);
  expectAll(
    text,
    ...['Distribution 4', 'Interest and Principal', 'USD 322,306.91', '222,222.22', '60,173.75', '29,785.93'],
    ...['−4,535.44', '−724.15', '−2,469.14', '82,955.10', '18,518.52', '−925.93', '−463.00', '17,129.59'],
    ...['of which VAT at 19%', '4,351,143.47', '982,306.91', '582,222.22', '2,118,222.22'],
  );
});

describe('the capital account statement', () => {
  test('has each line in each period, on one page', async () => {
    const { text, pages } = await read(statementAt('2026-09-30'));
    expect(pages).toHaveLength(1);
    expectAll(
      text,
      ...['Quarter ended 30 Sep 2026', '1 Jul – 30 Sep 2026', '15 Apr 2025 – 30 Sep 2026', 'unaudited'],
      ...['Opening balance 4,025,999.99 1,896,000.00 –', 'Contributions – 2,640,000.00 4,464,000.00'],
      ...['Change in unrealized value 108,000.01 −42,000.00 54,000.00'],
      ...['Closing balance 4,134,000.00 4,134,000.00 4,134,000.00', 'Unfunded on 30 Sep 2026 1,896,000.00'],
      ...['0.15x', '0.93x', '1.07x', 'balancing line'],
    );
  });

  test('shows no net IRR before 12 months, and why', async () => {
    const { text } = await read(statementAt('2026-03-31'));
    expectAll(text, 'Net IRR n/a', 'Less than 12 months since the first cash flow');
  });
});

describe('the list of all investors', () => {
  test.each(['call', 'distribution'] as const)(
    'of a %s with 500 investors repeats its header on each page',
    async (kind) => {
      const many = sampleFund(500);
      const document =
        kind === 'call'
          ? printCapitalCallSummary(many.call, many.callShares)
          : printDistributionSummary(many.distribution, many.distributionShares);
      const { pages, text } = await read(document);
      expect(pages.length).toBeGreaterThan(15);
      for (const [index, page] of pages.entries()) {
        expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
        if (index > 0) expect(page).toMatch(/Code\s+Investor/);
      }
      for (const { investor } of many.investors) expect(text).toContain(investor.formalName);
      expect(pages.at(-1)).toContain(kind === 'call' ? '6,770,897.63' : '4,351,143.47');
      expect(pages.at(-1)).toMatch(/Total/);
    },
  );
});

test.each([
  ['call', callNotice(3)],
  ['distribution', distribution],
  ['statement', statementAt('2026-09-30')],
])('a %s gives the same bytes each time, also while others are printed', async (_, document) => {
  const first = await printDocument(document);
  const again = await Promise.all([document, callNotice(5), document].map((each) => printDocument(each)));
  expect(again[0]!.equals(first)).toBe(true);
  expect(again[2]!.equals(first)).toBe(true);
  expect(again[1]!.equals(first)).toBe(false);
});

describe('a logo', () => {
  const png = (width: number, height: number, channels: 1 | 2 | 3 | 4, value: readonly number[]): string => {
    const data = new Uint8Array(width * height * channels).map((_, index) => value[index % channels] ?? 0);
    return Buffer.from(encode({ width, height, data, channels })).toString('base64');
  };
  const withLogo = (logo: string) => callNotice(0, { letterhead: { ...fund.call.letterhead, logo } });

  test('is printed beside the name, or instead of it if it is wide', async () => {
    const square = await read(withLogo(png(40, 40, 4, [11, 107, 114, 128])));
    expect(square.bytes.includes('/Subtype /Image')).toBe(true);
    expect(square.text).toContain('Harbour Credit Partners 14 Lantern Quay');
    const wide = await read(withLogo(png(200, 40, 3, [11, 107, 114])));
    expect(wide.bytes.includes('/Subtype /Image')).toBe(true);
    expect(wide.text).not.toContain('Harbour Credit Partners 14 Lantern Quay');
    expect((await printDocument(withLogo(png(200, 40, 3, [11, 107, 114])))).equals(wide.bytes)).toBe(true);
  });

  test('that is transparent is put on white', () => {
    const { bytes, width } = readLogo(png(2, 1, 4, [0, 0, 0, 0]))!;
    expect(width).toBe(2);
    expect(bytes.equals(readLogo(png(2, 1, 3, [255, 255, 255]))!.bytes)).toBe(true);
    expect(readLogo(png(1, 1, 2, [0, 255]))!.bytes.equals(readLogo(png(1, 1, 3, [0, 0, 0]))!.bytes)).toBe(true);
  });

  test('that is damaged, too large or a bomb is left out, and the name is shown', async () => {
    for (const logo of ['', 'AAAA', png(40, 40, 4, [1, 2, 3, 4]).slice(0, 90)]) {
      const { text, bytes } = await read(withLogo(logo));
      expect(text).toContain('Harbour Credit Partners');
      expect(bytes.includes('/Subtype /Image')).toBe(false);
    }
    const tooLong = Buffer.concat([Buffer.from(png(1, 1, 1, [0]), 'base64'), Buffer.alloc(2 * 2 ** 20)]);
    expect(readLogo(tooLong.subarray(0, 2 * 2 ** 20 - 3).toString('base64'))).not.toBeNull();
    expect(readLogo(tooLong.toString('base64'))).toBeNull();
    expect(readLogo(png(2_100, 2_000, 1, [0]))).toBeNull();
    const small = Buffer.from(png(2, 2, 1, [0]), 'base64');
    const start = small.indexOf('IDAT') - 4;
    const bomb = deflateSync(Buffer.alloc(50_000_000));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bomb.length);
    const crc = Buffer.alloc(4);
    const packed = Buffer.concat([small.subarray(0, start), length, Buffer.from('IDAT'), bomb, crc]);
    expect(readLogo(packed.toString('base64'))).toBeNull();
  });

  test('with a palette of two colours is printed in its colours', () => {
    const chunk = (type: string, data: Buffer): Buffer => {
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(data.length);
      sum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])));
      return Buffer.concat([length, Buffer.from(type), data, sum]);
    };
    const header = Buffer.from('0000000a000000020103000000', 'hex');
    const rows = Buffer.from('00aa8000ff40', 'hex');
    const image = Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from([10, 20, 30, 200, 210, 220])),
      chunk('IDAT', deflateSync(rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
    const bits = ['1010101010', '1111111101'].join('');
    const data = Uint8Array.from([...bits].flatMap((bit) => (bit === '1' ? [200, 210, 220] : [10, 20, 30])));
    expect(readLogo(image.toString('base64'))!.bytes).toEqual(
      Buffer.from(encode({ width: 10, height: 2, data, channels: 3 })),
    );
  });

  test('in JPEG is printed as it is', () => {
    const frame = Buffer.from('ffd8ffe000044a46ffc0000b080014003c01011100ffd9', 'hex');
    expect(readLogo(frame.toString('base64'))).toMatchObject({ width: 60, height: 20 });
  });
});
