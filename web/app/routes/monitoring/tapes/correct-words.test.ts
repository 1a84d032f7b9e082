import { expect, it } from 'vitest';
import { shownAmount } from './correct-words.ts';

it.each([
  ['1200.5000 USD', '1,200.50 USD'],
  ['12 JPY', '12 JPY'],
  ['-0.5000 USD', '−0.50 USD'],
  ['36 ABC', '36 ABC'],
  ['0.1250 KWD', '0.125 KWD'],
  ['123456789012345.6700 EUR', '123,456,789,012,345.67 EUR'],
  ['T-2', 'T-2'],
  ['36 months', '36 months'],
])('%s is shown as %s', (value, shown) => {
  expect(shownAmount(value)).toBe(shown);
});
