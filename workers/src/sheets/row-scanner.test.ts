import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the compiled row scanner is made from the source that stands beside it', () => {
  const module = new WebAssembly.Module(readFileSync(new URL('row-scanner.wasm', import.meta.url)));
  const [digest] = WebAssembly.Module.customSections(module, 'source-sha256');
  const source = readFileSync(new URL('../../scanner/row-scanner.ts', import.meta.url));
  expect(Buffer.from(digest!).toString('hex'), 'run `pnpm --filter @tapeline/workers scanner`').toBe(
    createHash('sha256').update(source).digest('hex'),
  );
});
