import { expect, test } from 'vitest';
import { acceptedFormat } from './exports.server.ts';

test.each([
  [null, null],
  ['', null],
  ['application/json', null],
  ['*/*', null],
  ['text/html,application/xhtml+xml,*/*;q=0.8', null],
  ['image/png', null],
  ['text/csv', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['text/csv, */*', null],
  ['text/csv;q=0.5, application/json', null],
  ['text/csv;q=0', null],
  ['text/csv;q=0.5, application/vnd.apache.parquet', 'parquet'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['Application/vnd.Apache.Arrow.Stream', 'arrow'],
])('Accept "%s" is answered with %s', (accept, format) => {
  expect(acceptedFormat(accept)).toBe(format);
});
