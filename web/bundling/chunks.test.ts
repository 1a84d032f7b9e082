import type { Rollup } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { fewChunks } from './chunks.ts';
import { bundle, type Modules } from './testing/bundle.ts';

/** A module that others cannot do without, and that says its name. */
const module = (name: string, takes: readonly string[] = []): string =>
  [
    ...takes.map((path, index) => `import { value as taken${index} } from '/product/${path}';`),
    `export const value = ['${name}', ${takes.map((_, index) => `taken${index}`).join(', ')}].concat(globalThis.more);`,
  ].join('\n');

const FRAME = ['web/app/entry.client.tsx', 'web/app/root.tsx'];
/** Routes by their area, and 24 of one area so that what they share is common. */
const LENDING = Array.from({ length: 24 }, (_, index) => `web/app/routes/monitoring/draws/draw-${index}.tsx`);
const FUNDS = ['web/app/routes/funds/fund.tsx', 'web/app/routes/investors/investor.tsx'];
const OFFICE = ['web/app/routes/admin/users.tsx', 'web/app/routes/chats/chat.tsx'];
const BANKED = ['web/app/routes/admin/entity.tsx', 'web/app/routes/admin/company.tsx'];
const ROUTES = [...LENDING, ...FUNDS, ...OFFICE, ...BANKED];

const [SHELL, ALWAYS, OF_FUNDS, OF_BOTH, OF_FORMS, TYPED, OF_ONE, PASSED_ON, OF_BANKS] = [
  'web/app/components/shell.ts',
  'web/app/components/always.ts',
  'web/app/components/of-funds.ts',
  'web/app/components/of-both.ts',
  'web/app/components/of-forms.ts',
  'web/app/components/typed.ts',
  'web/app/components/of-one.ts',
  'domain/src/nouns/names.ts',
  'web/app/components/of-banks.ts',
];

const takenBy = (route: string): string[] => [
  ALWAYS,
  ...(FUNDS.includes(route) ? [OF_FUNDS, OF_BOTH] : []),
  ...(OFFICE.includes(route) ? [OF_BOTH, OF_FORMS, TYPED] : []),
  ...(route === OFFICE[0] ? [OF_ONE] : []),
  ...(BANKED.includes(route) ? [OF_FORMS, OF_BANKS] : []),
];

const MODULES: Modules = {
  'node_modules/zod/index.ts': `export const value = ['zod'].concat(globalThis.more);`,
  [SHELL]: module('shell'),
  [FRAME[0]!]: module('entry', [SHELL]),
  [FRAME[1]!]: module('root', [SHELL]),
  [ALWAYS]: `${module('always', [SHELL])}`,
  [OF_FUNDS]: module('of funds'),
  // It takes a name from a module that only passes it on, beside a schema that it does not need.
  [PASSED_ON]: `export { value } from '/product/domain/src/nouns/name.ts'; export { value as schema } from '/product/domain/src/nouns/schema.ts';`,
  'domain/src/nouns/name.ts': module('a name'),
  'domain/src/nouns/schema.ts': `import { value as zod } from 'zod'; export const value = ['schema', zod].concat(globalThis.more);`,
  [OF_BOTH]: module('of both', [PASSED_ON]),
  [OF_FORMS]: module('of forms', ['domain/src/nouns/schema.ts']),
  'node_modules/ibantools/index.ts': `export const value = ['ibantools'].concat(globalThis.more);`,
  [OF_BANKS]: `import { value as taken } from 'ibantools'; export const value = ['of banks', taken].concat(globalThis.more);`,
  [TYPED]: module('typed'),
  [OF_ONE]: module('of one'),
  ...Object.fromEntries(ROUTES.map((route) => [route, module(route, takenBy(route))])),
};

let files: Rollup.OutputChunk[];
/** The name of the file that has a module. */
const fileOf = (path: string, among = files): string =>
  among.find(({ moduleIds }) => moduleIds.some((id) => id.includes(path)))?.name ?? 'no file';

beforeAll(async () => {
  files = await bundle(MODULES, {
    entries: [...FRAME, ...ROUTES],
    manualChunks: fewChunks() as Rollup.GetManualChunk,
  });
});

describe('the files of a bundle', () => {
  it('are one for what every page loads, and one for the libraries of schemas', () => {
    expect([fileOf(SHELL), fileOf('node_modules/zod')]).toEqual(['frame', 'schema-libraries']);
  });
  it('put what 24 routes share into a common one', () => {
    expect(fileOf(ALWAYS)).toBe('common');
  });
  it('put what a few routes share into one of their area, or of both of their areas', () => {
    expect([fileOf(OF_FUNDS), fileOf(OF_BOTH)]).toEqual(['funds', 'funds-and-office']);
  });
  it('keep what needs schemas apart from what does not', () => {
    expect(fileOf(OF_FORMS)).toBe('office-schemas');
    // A module that takes a name needs the module of that name, and not what passes it on.
    expect(fileOf('domain/src/nouns/name.ts')).toBe('funds-and-office');
  });
  it('put what only routes with schemas need with the schemas', () => {
    expect(fileOf(TYPED)).toBe('office-schemas');
  });
  it('put what fewer of them need with that need and their folder, even if all of them need schemas', () => {
    expect([fileOf('node_modules/ibantools'), fileOf(OF_BANKS)]).toEqual(['account-numbers', 'admin-accounts']);
  });
  it('keep from the schemas what a part of a page without them needs as well', async () => {
    const part = 'web/app/routes/chats/part.tsx';
    const chat = OFFICE[1]!;
    const withPart = {
      ...MODULES,
      [chat]: `${MODULES[chat]}\nexport const part = () => import('/product/${part}');`,
      [part]: module('a part', [TYPED]),
    };
    const changed = await bundle(withPart, {
      entries: [...FRAME, ...ROUTES],
      manualChunks: fewChunks() as Rollup.GetManualChunk,
    });
    expect([fileOf(TYPED), fileOf(TYPED, changed)]).toEqual(['office-schemas', 'office']);
  });
  it('leave what one route needs with that route', () => {
    expect(fileOf(OF_ONE)).toBe('users');
  });
  it('never import one another in a circle', () => {
    const importsOf = new Map(files.map(({ fileName, imports }) => [fileName, imports]));
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      (importsOf.get(from) ?? []).some((next) => {
        if (next === to) return true;
        if (seen.has(next)) return false;
        seen.add(next);
        return reaches(next, to, seen);
      });
    expect(files.length).toBeGreaterThan(ROUTES.length);
    expect(files.filter(({ fileName }) => reaches(fileName, fileName)).map(({ fileName }) => fileName)).toEqual([]);
  });
  it('are few for a page: a route without forms loads no schemas', () => {
    const loaded = (route: string): string[] => {
      const entry = files.find(({ facadeModuleId }) => facadeModuleId?.includes(route));
      const names = new Set(entry?.imports ?? []);
      for (const name of names)
        for (const next of files.find(({ fileName }) => fileName === name)?.imports ?? []) names.add(next);
      return [...names].map((name) => files.find(({ fileName }) => fileName === name)?.name ?? '').sort();
    };
    expect(loaded(FUNDS[0]!)).toEqual(['common', 'frame', 'funds', 'funds-and-office']);
    expect(loaded(OFFICE[1]!)).toContain('schema-libraries');
  });
});
