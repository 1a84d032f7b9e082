import { expect, test } from 'vitest';
import { serviceProviderCreateSchema } from './service-provider.schema.ts';

const provider = { title: 'Granite Administration', type: 'Administrator', entities: [] };
const entity = { name: 'Granite', formalId: '1', nationality: { country: 'US' } };
const problems = (changes: Record<string, unknown>): string[] => {
  const result = serviceProviderCreateSchema.safeParse({ ...provider, ...changes });
  return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
};

test.each([
  ['title', { title: 'xx' }, { title: 'x' }],
  ['title', { title: 'x'.repeat(40) }, { title: 'x'.repeat(41) }],
  ['type', { type: 'A' }, { type: ' ' }],
  ['entities', { entities: Array(10).fill(entity) }, { entities: Array(11).fill(entity) }],
  ['entities.0.name', { entities: [entity] }, { entities: [{ ...entity, name: 'x' }] }],
])('a service provider enforces its limits: %s', (path, within, beyond) => {
  expect(problems(within)).toEqual([]);
  expect(problems(beyond)).toEqual([path]);
});
