import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findPaymentReferences,
  obligationReference,
  obligationReferenceKey,
  type ReferencedObligation,
} from './payment-reference.ts';

const call = (more: Partial<ReferencedObligation> = {}): ReferencedObligation => ({
  kind: 'contribution',
  source: { title: 'Harbour Credit Fund II LP', code: 2 },
  number: '9',
  party: { kind: 'LP', code: 12 },
  classPlace: null,
  ...more,
});

const calls: fc.Arbitrary<ReferencedObligation> = fc.record({
  kind: fc.constantFrom('contribution' as const, 'distribution' as const, 'draw' as const),
  source: fc.record({
    title: fc.constantFrom('Harbour Credit Fund', 'Ålesund 4', 'Фонд'),
    code: fc.integer({ min: 1, max: 9999 }),
  }),
  number: fc.oneof(
    fc.integer({ min: 1, max: 400 }).map(String),
    fc.string({ minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ''),
  ),
  party: fc.record({
    kind: fc.constantFrom('LP' as const, 'fund' as const),
    code: fc.integer({ min: 1, max: 60_000 }),
  }),
  classPlace: fc.option(fc.integer({ min: 0, max: 60 })),
});

test('a reference has the code of the fund, the call, the code of the investor and a check digit', () => {
  expect(obligationReference(call())).toMatch(/^HCF2-C9-012-\d$/);
  expect(obligationReference(call({ classPlace: 1 }))).toMatch(/^HCF2-C9-012B-\d$/);
  expect(obligationReference(call({ party: { kind: 'fund', code: 12 } }))).toMatch(/^HCF2-C9-F012-\d$/);
  expect(obligationReference(call({ kind: 'distribution' }))).toMatch(/^HCF2-D9-012-\d$/);
  expect(obligationReference(call({ kind: 'draw', party: { kind: 'company', code: 12 } }))).toMatch(/^HCF2-W9-012-\d$/);
  expect(obligationReference(call({ number: '2026/Q3' }))).toMatch(/^HCF2-C2026QX[0-9A-Z]{4}-012-\d$/);
  expect(obligationReference(call({ source: { title: 'Фонд', code: 31 } }))).toMatch(/^F31-/);
});

describe('it is found', () => {
  test('in lower case, without hyphens, and between other words', () => {
    const key = obligationReferenceKey(call());
    const reference = obligationReference(call());
    for (const text of [
      reference,
      reference.toLowerCase(),
      reference.replaceAll('-', ''),
      `Capital call ${reference} of Alpine Pension Fund, 500,000.00 USD`,
      `/INV/${reference.replaceAll('-', ' ')}/2026-11-18`,
      `payment ref ${reference.toLowerCase().replaceAll('-', '')} 2026 004`,
      `ROC: ${reference.replaceAll('-', ' - ')}`,
    ]) {
      expect(findPaymentReferences(text), text).toEqual([key]);
    }
  });

  test('in any form, whatever the call is called, and it is the only one', () => {
    fc.assert(
      fc.property(calls, (of) => {
        const reference = obligationReference(of);
        const key = obligationReferenceKey(of);
        expect(findPaymentReferences(reference)).toEqual([key]);
        expect(findPaymentReferences(reference.replaceAll('-', '').toLowerCase())).toEqual([key]);
      }),
      { numRuns: 3_000 },
    );
  });

  test('after its fund was renamed', () => {
    const renamed = call({ source: { title: 'Quay Lending', code: 2 } });
    expect(findPaymentReferences(obligationReference(call()))).toEqual([obligationReferenceKey(renamed)]);
  });
});

test('two parts of a manager have different references: another fund, call, investor, class or kind', () => {
  const all = new Set<string>();
  let count = 0;
  for (const code of [1, 2, 11, 12]) {
    for (const number of ['1', '2', '11', '12', '1A', '1-2', '1/2', '1a', '01', 'X1']) {
      for (const kind of ['LP', 'fund'] as const) {
        for (const investor of [1, 2, 12, 112, 1112]) {
          for (const classIndex of [null, 0, 1, 26]) {
            all.add(
              obligationReference(
                call({
                  source: { title: 'One', code },
                  number,
                  party: { kind, code: investor },
                  classPlace: classIndex,
                }),
              ).replaceAll('-', ''),
            );
            count += 1;
          }
        }
      }
    }
  }
  expect(all.size).toBe(count);
});

test('a wrong digit, or two digits in the wrong order, is not taken for this reference or another', () => {
  for (const of of [call(), call({ party: { kind: 'LP', code: 4_711 } }), call({ number: '38' })]) {
    const reference = obligationReference(of);
    const [head = '', ...rest] = reference.split(/(?<=HCF)/);
    const tail = rest.join('');
    for (const [index, sign] of [...tail].entries()) {
      if (!/\d/.test(sign)) continue;
      for (const wrong of '0123456789') {
        if (wrong === sign) continue;
        const text = head + tail.slice(0, index) + wrong + tail.slice(index + 1);
        expect(findPaymentReferences(text), text).toEqual([]);
      }
      const next = tail[index + 1];
      if (next === undefined || !/\d/.test(next) || next === sign) continue;
      const swapped = head + tail.slice(0, index) + next + sign + tail.slice(index + 2);
      expect(findPaymentReferences(swapped), swapped).toEqual([]);
    }
  }
});

test('other texts have none', () => {
  for (const text of ['', 'Capital call 9', 'Invoice 2026-004', 'HCF2', 'HCF2-C9', 'HCF2-C9-012']) {
    expect(findPaymentReferences(text)).toEqual([]);
  }
});
