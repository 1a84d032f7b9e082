import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { type Node, takenBy } from './syntax-tree.ts';

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
  it('is everything if it is taken as a whole or by default', () => {
    expect(taken(`import * as all from './x'; import some from './y'; export * from './z';`)).toEqual([
      ['./x', false, null],
      ['./y', false, null],
      ['./z', true, null],
    ]);
  });
  it('is marked if it is passed on', () => {
    expect(taken(`export { a, b as c } from './x'; export const d = 1;`)).toEqual([['./x', true, { a: 'a', c: 'b' }]]);
  });
});
