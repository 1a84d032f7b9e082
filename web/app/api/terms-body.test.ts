import { changed } from '@tapeline/domain/documents/testing/limits.ts';
import { transactionNoteSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { EXAMPLES } from '@tapeline/domain/specification/example-bodies.ts';
import { stringifyWire } from '@tapeline/domain/wire/json.ts';
import { expect, it } from 'vitest';
import { noteBody } from './terms-body.ts';

it('sends every amount of the terms as a number with all its digits', () => {
  const terms = {
    ...EXAMPLES.terms,
    fees: [{ title: 'Rebate', kind: 'Rebate', frequency: 'Monthly', rate: { sum: '-0.250' } }],
    drawLimits: {
      draw: { amountRange: { currency: 'USD', min: '0.10', max: '123456789012345.10' } },
      recycling: null,
    },
  };
  const note = changed(changed(EXAMPLES.transaction.notes[0], 'terms', terms), 'tranches.0.terms', terms);
  const text = stringifyWire(noteBody(transactionNoteSchema.parse(note)));
  expect(text.match(/"amountRange":\{[^}]*\}/g)).toEqual(
    Array(2).fill('"amountRange":{"currency":"USD","min":0.1,"max":123456789012345.1}'),
  );
  expect(text.match(/"rate":\{"sum":-0.25\}/g)).toHaveLength(2);
  expect(text).not.toMatch(/"(?:sum|min|max)":"/);
});
