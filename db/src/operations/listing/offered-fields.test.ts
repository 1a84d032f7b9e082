import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldCatalog } from '@tapeline/domain/filters/catalog.ts';
import { expect, test } from 'vitest';

const OPERATIONS = join(import.meta.dirname, '..');

/** The catalog of every list, by its name. */
async function catalogs(): Promise<Map<string, FieldCatalog>> {
  const files = globSync('**/*.ts', { cwd: OPERATIONS })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => /= (define(Listable|Listed)|listOf)\(/.test(readFileSync(join(OPERATIONS, file), 'utf8')));
  const found = new Map<string, FieldCatalog>();
  for (const file of files) {
    for (const [name, value] of Object.entries(await import(join(OPERATIONS, file)))) {
      const { catalog } = (value ?? {}) as { catalog?: FieldCatalog };
      if (catalog) found.set(`${file} ${name}`, catalog);
    }
  }
  return found;
}

test('No list offers two fields of one name, whose difference nobody could see', async () => {
  const all = await catalogs();
  expect(all.size).toBeGreaterThan(25);
  const twice = [...all].flatMap(([name, { fields }]) => {
    const labels = fields.filter(({ isId }) => !isId).map(({ label }) => label.toLowerCase());
    return labels.filter((label, index) => labels.indexOf(label) !== index).map((label) => `${name}: ${label}`);
  });
  expect(twice).toEqual([]);
});

test('Other names of a field find the same field', async () => {
  const all = await catalogs();
  const pathOf = (list: string, path: string) => {
    const found = [...all].find(([name]) => name.endsWith(` ${list}`))![1].resolve(path);
    return 'field' in found ? found.field.path : null;
  };
  expect(pathOf('CONTRIBUTIONS', 'amount.sum')).toBe('amount');
  expect(pathOf('DISTRIBUTIONS', 'principal.sum')).toBe('principal');
  expect(pathOf('DISTRIBUTIONS', 'totalDistributed.sum')).toBe('totalDistributed');
  expect(pathOf('WRITE_OFFS', 'amount.sum')).toBe('amount');
  expect(pathOf('FUNDS', 'targetSize.sum')).toBe('targetSize');
  expect(pathOf('FUNDS', 'hardCap.currency')).toBe('currency');
  expect(pathOf('DRAWS', 'transaction.id')).toBe('transaction');
  expect(pathOf('MAPPINGS', 'mappingVersion')).toBe('version');
  expect(pathOf('PROPOSALS', 'loanTapeId')).toBe('loanTape');
  expect(pathOf('BORROWING_BASES', 'loanTapeId')).toBe('loanTape');
});
