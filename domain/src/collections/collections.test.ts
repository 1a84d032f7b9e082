import { describe, expect, it } from 'vitest';
import { COLLECTION_OF_GRID } from '../grid-views/grid-view.schema.ts';
import { PERMISSION_KEYS } from '../people/actor.ts';
import { COLLECTIONS, callsOf, columnsOf, EVERY_COLLECTION, RECORDED, titleOfCollection } from './collections.ts';

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

describe('the descriptors of collections', () => {
  it('share no name, address, kind of result or grid', () => {
    const all = EVERY_COLLECTION.map(([, collection]) => collection);
    expect(repeated(all.map(titleOfCollection))).toEqual([]);
    expect(repeated(EVERY_COLLECTION.map(([name]) => callsOf(name)))).toEqual([]);
    for (const property of ['list', 'page', 'grid'] as const) {
      expect(repeated(all.flatMap((collection) => collection[property] ?? []))).toEqual([]);
    }
    expect(repeated(all.flatMap(({ search }) => search?.kind ?? []))).toEqual([]);
    expect(repeated(all.flatMap(({ menu }) => menu?.key ?? []))).toEqual([]);
  });

  it('name permissions that there are', () => {
    for (const [, { read, write = read }] of EVERY_COLLECTION) {
      expect(PERMISSION_KEYS).toEqual(expect.arrayContaining([read, write]));
    }
  });

  it('are all recorded, except the assets of tapes', () => {
    const recorded = RECORDED.map(([name]) => String(name));
    expect(Object.keys(COLLECTIONS).filter((name) => !recorded.includes(name))).toEqual(['assets']);
  });

  it.each(Object.entries(COLLECTION_OF_GRID))('the grid %s has a name, and columns with labels', (grid, name) => {
    expect(grid).toMatch(/^[a-z]+(-[a-z]+)*$/);
    const columns = columnsOf(name);
    expect(columns.length).toBeGreaterThan(3);
    expect(columns.filter(({ path, label }) => label === path)).toEqual([]);
    expect(repeated(columns.map(({ path }) => path))).toEqual([]);
  });
});
