import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { type Node, takenBy, usesOf } from './syntax-tree.ts';

const taken = (code: string) =>
  takenBy(parseAst(code) as unknown as Node).map(({ source, isPassedOn, names }) => [
    source,
    isPassedOn,
    names && Object.fromEntries(names),
  ]);

describe('what a module takes from others', () => {
  it('is each name there by its name here', () => {
    expect(taken(`import { a, b as c } from './x';`)).toEqual([['./x', false, { a: 'a', c: 'b' }]]);
  });
  it('is no name of a module that is imported for its effects', () => {
    expect(taken(`import './x';`)).toEqual([['./x', false, {}]]);
  });
  it('is everything if it is taken as a whole', () => {
    expect(taken(`import * as all from './x'; import some from './y'; export * from './z';`)).toEqual([
      ['./x', false, null],
      ['./y', false, { some: 'default' }],
      ['./z', true, null],
    ]);
  });
  it('is marked if it is passed on', () => {
    expect(taken(`export { a, b as c } from './x'; export const d = 1;`)).toEqual([['./x', true, { a: 'a', c: 'b' }]]);
  });
});

describe('what the names of a module need', () => {
  const { byName, always, exported } = usesOf(
    parseAst(`import { z } from 'zod';
      const inner = z.object({ a: 1 });
      export const outer = inner.extend({ other }), MAX = 7;
      export function read(text) { return outer.parse(text); }
      const { shape, of: part } = outer;
      export { inner as shown };
      export const here = false ? there : MAX;
      export default MAX;
      start(outer);
      state.most = MAX;`) as unknown as Node,
  );
  it('is what they name, and no property', () => {
    expect([...(byName.get('inner') ?? [])]).toEqual(['inner', 'z']);
    expect([...(byName.get('outer') ?? [])]).toEqual(['outer', 'inner', 'other']);
    expect(byName.get('MAX')).toEqual(new Set(['MAX']));
    expect(byName.get('here')).toEqual(new Set(['here', 'MAX']));
    expect(byName.get('read')).toContain('outer');
    expect([byName.get('shape'), byName.get('part')].map((uses) => uses?.has('outer'))).toEqual([true, true]);
  });
  it('is found by the names that others take', () => {
    expect(Object.fromEntries(exported)).toEqual({
      outer: 'outer',
      MAX: 'MAX',
      read: 'read',
      shown: 'inner',
      here: 'here',
      default: 'default',
    });
  });
  it('is apart from what runs in any case', () => {
    expect([...always]).toEqual(['state', 'MAX']);
  });
});
