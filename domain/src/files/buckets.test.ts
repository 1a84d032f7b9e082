import { expect, test } from 'vitest';
import { textOf } from '../errors/reason.ts';
import { BUCKETS, DOCUMENT_HINT, MAX_DOCUMENT_BYTES, maxBytesOf, tooLarge, typeProblem } from './buckets.ts';
import { UPLOAD_KINDS } from './file-types.ts';

test('each bucket has a limit, which its message states', () => {
  const limits = BUCKETS.map((bucket) => [bucket, maxBytesOf({ bucket }), textOf(tooLarge({ bucket }))]);
  const documents = ['capitalAccounts', 'capitalCalls', 'fundReports', 'announcements', 'testFiles'];
  const stated = (bucket: string): [number, string] => {
    if (documents.includes(bucket)) return [104_857_600, 'A file has at most 100 MB'];
    if (bucket === 'importerFiles') return [20_971_520, 'A file has at most 20 MB'];
    if (bucket === 'bankStatements') return [16_777_216, 'A file has at most 16 MB'];
    if (bucket === 'loanTapes') return [1_073_741_824, 'A file has at most 1 GB'];
    return [524_288, 'An image has at most 512 KB'];
  };
  expect(limits).toEqual(BUCKETS.map((bucket) => [bucket, ...stated(bucket)]));
  expect(DOCUMENT_HINT).toBe(`${UPLOAD_KINDS}. Up to 100 MB each`);
});

test('files of draw requests are documents, although tapes share their bucket', () => {
  expect(maxBytesOf({ bucket: 'loanTapes', directory: 'draws' })).toBe(MAX_DOCUMENT_BYTES);
  expect(maxBytesOf({ bucket: 'loanTapes', directory: 'other' })).toBeGreaterThan(MAX_DOCUMENT_BYTES);
});

test('a type that is refused says what can be uploaded', () => {
  expect(typeProblem({ bucket: 'announcements', type: 'text/markdown' })).toBeNull();
  expect(typeProblem({ bucket: 'announcements', type: 'application/x-msdownload' })).toBe(
    `Files of type application/x-msdownload are not accepted. Upload ${UPLOAD_KINDS}`,
  );
  expect(typeProblem({ bucket: 'publicFiles', type: 'image/svg+xml' })).toBe('Choose a PNG, JPEG, GIF or WebP image');
});
