import { describe, expect, test } from 'vitest';
import { parseRates } from './parse-rates.ts';
import { ecbXml } from './testing/rates-server.ts';

const cubes = (inner: string) => `<Envelope><Cube>${inner}</Cube></Envelope>`;

describe('the XML of the European Central Bank', () => {
  test('has rates for one euro', () => {
    expect(parseRates(`\uFEFF${ecbXml('2026-11-20', { USD: '1.1625', JPY: '174.90' })}`)).toEqual({
      base: 'EUR',
      date: '2026-11-20',
      rates: [
        ['USD', '1.1625'],
        ['JPY', '174.90'],
      ],
    });
  });
  test('with several days gives the latest, in whatever order', () => {
    const day = (date: string, rate: string) => `<Cube time="${date}"><Cube currency="USD" rate="${rate}"/></Cube>`;
    const text = cubes([day('2026-11-19', '1.1'), day('2026-11-20', '1.2'), day('2026-11-18', '1.3')].join(''));
    expect(parseRates(text)).toEqual({ base: 'EUR', date: '2026-11-20', rates: [['USD', '1.2']] });
  });
  test.each([
    ['an unclosed element', '<Envelope><Cube time="2026-11-20">', 'not valid XML'],
    ['an unknown entity', cubes('<Cube time="2026-11-20"><Cube currency="USD" rate="&x;"/></Cube>'), 'not valid XML'],
    ['a document type', `<!DOCTYPE x [<!ENTITY x "1">]>${cubes('')}`, 'document type'],
    ['a page instead of rates', '<html><body>Welcome</body></html>', 'not have the form of the European'],
    ['a rate outside a day', cubes('<Cube currency="USD" rate="1"/>'), 'not have the form of the European'],
    [
      'a missing rate',
      cubes('<Cube time="2026-11-20"><Cube currency="USD"/></Cube>'),
      'not have the form of the European',
    ],
    ['too many levels', `${'<a>'.repeat(21)}${'</a>'.repeat(21)}`, 'more than 20 levels'],
    [
      'too many rates',
      cubes(`<Cube time="2026-11-20">${'<Cube currency="USD" rate="1"/>'.repeat(1001)}</Cube>`),
      'more than 1000 rates',
    ],
    [
      'too many days',
      cubes(Array.from({ length: 101 }, (_, day) => `<Cube time="${day}"></Cube>`).join('')),
      'more than 100 days',
    ],
  ])('is refused with %s', (_, text, message) => {
    expect(() => parseRates(text)).toThrow(message);
  });
  test('is read at the limit of levels, rates and days', () => {
    const inner = `<Cube time="2026-11-20">${'<Cube currency="USD" rate="1"/>'.repeat(1000)}</Cube>`;
    expect(parseRates(`${'<a>'.repeat(18)}${inner}${'</a>'.repeat(18)}`).rates).toHaveLength(1000);
    expect(
      parseRates(cubes(Array.from({ length: 100 }, (_, day) => `<Cube time="${day}"></Cube>`).join(''))).date,
    ).toBe('99');
  });
});

describe('JSON', () => {
  test('has a base, a date and rates', () => {
    const text = JSON.stringify({ success: true, base: 'USD', date: '2026-11-20', rates: { EUR: 0.86, JPY: '150.5' } });
    expect(parseRates(`\n${text}`)).toEqual({
      base: 'USD',
      date: '2026-11-20',
      rates: [
        ['EUR', 0.86],
        ['JPY', '150.5'],
      ],
    });
  });
  test.each([
    ['a truncated body', '{"base":"USD","date":"2026-11-20","rates":{"EUR":0.8', 'not valid JSON'],
    ['no base', '{"date":"2026-11-20","rates":{}}', 'form { base, date, rates }'],
    ['rates that are a list', '{"base":"USD","date":"2026-11-20","rates":[1]}', 'form { base, date, rates }'],
    ['a list', '[{"base":"USD"}]', 'neither XML nor JSON'],
    ['nothing', '  ', 'neither XML nor JSON'],
  ])('is refused with %s', (_, text, message) => {
    expect(() => parseRates(text)).toThrow(message);
  });
});
