import { expect, test } from 'vitest';
import { isTemporaryName, typeOfStatement } from './statement-delivery.ts';

test.each(['.statement.xml.Xa1', 'statement.xml.part', 'statement.FILEPART', 'a.partial', 'a.tmp'])(
  '%s is still being written',
  (name) => expect(isTemporaryName(name)).toBe(true),
);
test.each(['statement.xml', 'part', 'tmp.sta', 'a.parts', 'statement'])('%s is whole', (name) =>
  expect(isTemporaryName(name)).toBe(false),
);

test('the type of a file follows from its ending, and is text for what banks invent', () => {
  expect(['a.xml', 'A.XML', 'a.csv', 'a.sta', 'a.940', 'a'].map(typeOfStatement)).toEqual([
    'application/xml',
    'application/xml',
    'text/csv',
    'text/plain',
    'text/plain',
    'text/plain',
  ]);
});
