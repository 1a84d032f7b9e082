import { describe, expect, it } from 'vitest';
import { pureDomain } from './pure-domain.ts';
import { bundle } from './testing/bundle.ts';

/** A package whose calls a bundler cannot see through. */
const SCHEMAS = `
  globalThis.loaded = [];
  export const object = (fields) => { globalThis.loaded.push(fields); return { parse: (value) => value }; };`;
const NOUN = `
  import { object } from 'schemas';
  export const MAX_NAMES = 7;
  export const nounSchema = object({ mark: 'the schema of a noun' });
  export const read = (text) => object({ mark: 'within a function' }).parse(text);`;

const codeOf = async (page: string, noun = 'domain/src/nouns/noun.ts', isPure = true) => {
  const [file] = await bundle(
    {
      'node_modules/schemas/index.ts': SCHEMAS,
      [noun]: NOUN,
      'web/app/page.ts': page.replace('NOUN', `/product/${noun}`),
    },
    { entries: ['web/app/page.ts'], plugins: isPure ? [pureDomain()] : [] },
  );
  return file?.code ?? '';
};

describe('the domain in the bundle of a page', () => {
  it('is what the page uses: a constant comes without the schema beside it', async () => {
    const page = `import { MAX_NAMES } from 'NOUN'; console.log(MAX_NAMES);`;
    expect(await codeOf(page)).toMatch(/console\.log\(MAX_NAMES\)|console\.log\(7\)/);
    expect(await codeOf(page)).not.toContain('the schema of a noun');
    // Without the plugin, the bundler keeps it.
    expect(await codeOf(page, undefined, false)).toContain('the schema of a noun');
  });
  it('leaves out what reads a part of a schema, too', async () => {
    const parts = `
      import { object } from 'schemas';
      export const MAX_NAMES = 7;
      const whole = object({ mark: 'the schema of a noun' });
      export const { name, code: renamed } = whole.shape;
      export const [one, other] = whole.options;
      export const shorter = { name, ...whole.shape, first: whole.shape.first }, again = object({ ...shorter });`;
    const noun = 'domain/src/nouns/noun.ts';
    const bundled = async (page: string): Promise<string> => {
      const [file] = await bundle(
        {
          'node_modules/schemas/index.ts': SCHEMAS,
          [noun]: parts,
          'web/app/page.ts': page.replace('NOUN', `/product/${noun}`),
        },
        { entries: ['web/app/page.ts'], plugins: [pureDomain()] },
      );
      return file?.code ?? '';
    };
    const without = await bundled(`import { MAX_NAMES } from 'NOUN'; console.log(MAX_NAMES);`);
    expect(without).not.toContain('the schema of a noun');
    expect(without).not.toContain('shape');
    const withAll = await bundled(`import { again, other, renamed } from 'NOUN'; console.log(again, other, renamed);`);
    expect(['the schema of a noun', '.code', '[1]', 'first'].filter((kept) => !withAll.includes(kept))).toEqual([]);
  });
  it('has the schema if the page uses it', async () => {
    const page = `import { nounSchema } from 'NOUN'; console.log(nounSchema.parse('x'));`;
    const code = await codeOf(page);
    expect(code).toContain('the schema of a noun');
    expect(code).not.toContain('within a function');
  });
  it('keeps the calls within functions, which run when they are called', async () => {
    const code = await codeOf(`import { read } from 'NOUN'; read('x');`);
    expect(code).toContain('within a function');
    expect(code).not.toContain('the schema of a noun');
  });
  it('is no other package: its calls may have effects', async () => {
    const page = `import { MAX_NAMES } from 'NOUN'; console.log(MAX_NAMES);`;
    expect(await codeOf(page, 'web/app/nouns/noun.ts')).toContain('the schema of a noun');
  });
});
