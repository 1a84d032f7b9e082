import { exactNumber, stringifyWire } from '@tapeline/domain/wire/json.ts';
import { expect, test } from 'vitest';
import { hideCalls } from './hide-calls.ts';

const author = { agent: 'Firefox', ip: '203.0.113.7', locale: 'de', timestamp: 't', entity: { apiName: 'Tapeline' } };
const hidden = { ...author, agent: null, ip: null, locale: null };

test('who made and changed a document stays, and from where goes, however deep it is', () => {
  const document = { id: '1', metadata: { iat: 't', createdBy: author, changedBy: author } };
  const without = { id: '1', metadata: { iat: 't', createdBy: hidden, changedBy: hidden } };
  expect(hideCalls([{ notes: [document] }])).toEqual([{ notes: [without] }]);
  expect(hideCalls({ changedBy: author })).toEqual({ changedBy: hidden });
});

test('everything else is left as it is: numbers with all their digits, dates, texts, nothing', () => {
  const body = {
    sum: exactNumber('144589166.10'),
    at: new Date(0),
    none: null,
    createdBy: 'a name',
    ip: 'a field',
    n: [1],
  };
  expect(stringifyWire(hideCalls(body))).toBe(stringifyWire(body));
  expect([hideCalls(null), hideCalls(undefined), hideCalls('x')]).toEqual([null, undefined, 'x']);
});
