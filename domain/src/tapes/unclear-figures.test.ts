import { expect, test } from 'vitest';
import { mappingRuleSchema } from './rule.schema.ts';
import type { SerializationInput } from './serialization.schema.ts';
import { unclearFigures } from './unclear-figures.ts';

const warned = (texts: readonly string[], ...serializations: SerializationInput[]) => [
  ...unclearFigures(
    mappingRuleSchema.parse({ originCol: 'Saldo', targetCol: 'sums.sum', serializations }),
    texts,
    'EUR',
  ).values(),
];
const amount = (more: object = {}): SerializationInput => ({ type: 'SerializedSum', ...more });

test('an amount that another decimal sign reads differently warns with both readings', () => {
  expect(warned(['12.000', '800'], amount())).toEqual(['"12.000" is read as 12. With a decimal comma it is 12,000']);
  expect(warned(['12.000', '(7.500) €'], amount({ decimal: 'comma' }))).toEqual([
    '"12.000" is read as 12,000. With a decimal point it is 12',
    '"(7.500) €" is read as 7,500. With a decimal point it is 7.5',
  ]);
  expect(warned(['12,000'], amount({ decimal: 'comma' }))).toEqual([
    '"12,000" is read as 12. With a decimal point it is 12,000',
  ]);
});

test.each<[string, string[], SerializationInput[]]>([
  ['another amount shows the sign', ['12.000', '1.234,56'], [amount({ decimal: 'comma' })]],
  ['another amount shows the point', ['12.000', '3.5'], [amount()]],
  ['thousands are separated as usual', ['12,000', '7,500'], [amount()]],
  ['it is a fraction', ['0.125'], [amount()]],
  ['the currency has three decimal places', ['12.000'], [amount({ currency: 'KWD' })]],
  ['a step has removed the points', ['12.000'], [{ type: 'replaceStrings', value: ['.', ''] }, amount()]],
  ['it is a number and no amount', ['12.000'], [{ type: 'number' }]],
])('no warning if %s', (_, texts, steps) => expect(warned(texts, ...steps)).toEqual([]));
