import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Rollup } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formChecks } from './form-checks.ts';
import { pureDomain } from './pure-domain.ts';

/** Files, because the build loads them to describe their forms. */
const FILES = {
  'domain/src/noun.ts': `
    const make = (mark: string) => ({ mark });
    export const MOST = 7;
    export const nounSchema = make('the schema of a noun');`,
  'web/app/components/forms/describe-form.ts': `
    export const describeForm = (schema: { mark: string }) => ({
      constraint: { title: { required: true } }, chosen: [], missing: { title: 'is required' },
      checks: async () => schema.mark,
    });
    export const describeForms = (all: object) =>
      Object.fromEntries(Object.entries(all).map(([name, one]) => [name, describeForm(one)]));`,
  'web/app/routes/noun-form.ts': `
    import { MOST, nounSchema } from '../../../domain/src/noun.ts';
    import { describeForm, describeForms } from '../components/forms/describe-form.ts';
    export const nounDescription = describeForm(nounSchema);
    export const DESCRIPTIONS = describeForms({ stored: nounSchema });
    export const LABELS = { most: MOST };`,
  'web/app/routes/editor.checks.tsx': `
    import { nounSchema } from '../../../domain/src/noun.ts';
    export const editor = nounSchema.mark;`,
  'web/app/routes/page.tsx': `
    import { DESCRIPTIONS, LABELS, nounDescription } from './noun-form.ts';
    console.log(LABELS, nounDescription, DESCRIPTIONS, import('./editor.checks.tsx'));`,
};

const folder = mkdtempSync(join(tmpdir(), 'form-checks-'));
let files: Rollup.OutputChunk[];

beforeAll(async () => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { output } = (await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    plugins: [formChecks(), pureDomain()],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rollupOptions: { input: join(folder, 'web/app/routes/page.tsx') },
    },
  })) as Rollup.RollupOutput;
  files = output.filter((file) => file.type === 'chunk');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a page with a form', () => {
  const page = () => files.find(({ isEntry }) => isEntry)?.code ?? '';
  it('has the description of the form, and no part of its schema', () => {
    expect(page()).toContain('is required');
    expect(page()).toContain('most: ');
    expect(page()).not.toContain('the schema of a noun');
  });
  it('loads what checks the form, and a part that checks, from files of their own', () => {
    const later = files.filter(({ isEntry }) => !isEntry);
    expect(later.some(({ code }) => code.includes('the schema of a noun'))).toBe(true);
    expect(page()).toMatch(/nounDescription\.checks\(\)/);
    expect(page()).toMatch(/DESCRIPTIONS\["stored"\]\.checks\(\)/);
    expect(page().match(/import\(/g)).toHaveLength(3);
  });
});
