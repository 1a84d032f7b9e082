import { expect, test } from 'vitest';
import { MAX_PREVIEW_BYTES, nameParts, previewOf } from './previews.ts';

test('pages show PDF files and images, up to a size, and nothing that can contain scripts', () => {
  expect(previewOf({ type: 'application/pdf', size: MAX_PREVIEW_BYTES })).toBe('pdf');
  expect(previewOf({ type: 'application/pdf', size: MAX_PREVIEW_BYTES + 1 })).toBeNull();
  expect(previewOf({ type: 'image/png', size: 1 })).toBe('image');
  for (const type of ['image/svg+xml', 'text/html', 'application/xhtml+xml', 'application/javascript', 'text/plain']) {
    expect(previewOf({ type, size: 1 }), type).toBeNull();
  }
});

test('the extension is that of the content', () => {
  expect(nameParts({ name: 'Report.Q3.pdf', type: 'application/pdf' })).toEqual({
    name: 'Report.Q3',
    extension: 'pdf',
  });
  expect(nameParts({ name: 'notice.exe', type: 'application/pdf' })).toEqual({ name: 'notice', extension: 'pdf' });
  expect(nameParts({ name: 'tape.XLSB', type: 'application/x-other' })).toEqual({ name: 'tape', extension: 'xlsb' });
  expect(nameParts({ name: 'a.b/../../x', type: 'application/x-other' }).extension).toBe('bin');
});
